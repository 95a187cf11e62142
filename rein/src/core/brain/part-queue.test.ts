import { expect, it } from "vitest";
import type { StreamPart } from "../session/index.ts";
import { PartQueue } from "./part-queue.ts";

const part = (text: string): StreamPart => ({ type: "notice", kind: "test", text });

it("gives the parts in their order", async () => {
  const queue = new PartQueue();
  queue.post(part("1"));
  expect(queue.push(part("2"))).toBeUndefined();
  expect([queue.next(), queue.next()]).toEqual([part("1"), part("2")]);
});

it("makes a producer wait while it is full, and lets it go on when a part is taken", async () => {
  const queue = new PartQueue(2);
  expect(queue.push(part("1"))).toBeUndefined();
  const room = queue.push(part("2"));
  expect(room).toBeInstanceOf(Promise);
  let gone = false;
  void room?.then(() => {
    gone = true;
  });
  await Promise.resolve();
  expect(gone).toBe(false);
  expect(queue.next()).toEqual(part("1"));
  await room;
  expect(gone).toBe(true);
});

it("never makes what follows a commit wait, and drops nothing", () => {
  const queue = new PartQueue(1);
  for (const text of ["1", "2", "3"]) queue.post(part(text));
  expect(queue.size).toBe(3);
  expect([queue.next(), queue.next(), queue.next()]).toEqual([part("1"), part("2"), part("3")]);
});

it("gives a part to the reader who waits longest", async () => {
  const queue = new PartQueue();
  const readers = [queue.next(), queue.next()];
  queue.post(part("1"));
  queue.post(part("2"));
  expect(await Promise.all(readers)).toEqual([part("1"), part("2")]);
});

it("can be read to its end after it was closed", async () => {
  const queue = new PartQueue();
  queue.post(part("1"));
  queue.close();
  queue.post(part("2"));
  expect([queue.next(), queue.next()]).toEqual([part("1"), null]);
});

it("tells waiting readers that it is closed, and lets waiting producers go", async () => {
  const readers = new PartQueue();
  const next = readers.next();
  readers.close();
  expect(await next).toBeNull();
  const producers = new PartQueue(1);
  const room = producers.push(part("1"));
  producers.close();
  expect(await room).toBeUndefined();
});

it("has room for everything once nobody is waited for", async () => {
  const queue = new PartQueue(1);
  const room = queue.push(part("1"));
  queue.unbind();
  await room;
  expect(queue.push(part("2"))).toBeUndefined();
});

it("keeps the order while a slow reader never empties it", () => {
  const queue = new PartQueue(10);
  for (let n = 0; n < 5; n += 1) queue.post(part(String(n)));
  for (let n = 5; n < 105; n += 1) {
    queue.post(part(String(n)));
    expect(queue.take()).toEqual(part(String(n - 5)));
  }
  expect(queue.size).toBe(5);
});
