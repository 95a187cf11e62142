import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { currentOwner, livenessOf } from "./owner.ts";

function startTimeOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

describe.runIf(process.platform === "linux")("on Linux", () => {
  it("this process is named by what the system says of it", () => {
    const me = currentOwner();
    expect(me.host).toBe(hostname());
    expect(me.pid).toBe(process.pid);
    expect(me.bootId).toBe(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
    expect(me.pidNamespace).toMatch(/^pid:\[\d+\]$/);
    expect(me.startTime).toBe(startTimeOf(process.pid));
    expect(livenessOf(me)).toBe("alive");
  });

  it("a process is alive, then a zombie, then gone", async () => {
    // The shell becomes sleep at once and never asks for its child's end, which stays a zombie.
    const parent = spawn("/bin/sh", ["-c", "sleep 0 & echo $!; exec sleep 30"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = await once(parent.stdout, "data");
    const zombie = Number(String(line));
    const owner = { ...currentOwner(), pid: parent.pid ?? 0, startTime: startTimeOf(parent.pid ?? 0) };
    expect(livenessOf(owner)).toBe("alive");
    while (!/^State:\tZ/m.test(readFileSync(`/proc/${zombie}/status`, "utf8"))) await new Promise(setImmediate);
    expect(livenessOf({ ...owner, pid: zombie, startTime: startTimeOf(zombie) })).toBe("dead");
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect(livenessOf(owner)).toBe("dead");
  });

  it("a pid that another process has now is not the one that had it (C-045)", () => {
    expect(livenessOf({ ...currentOwner(), startTime: "1" })).toBe("dead");
  });
});

it("what lives elsewhere is unknown", () => {
  const me = currentOwner();
  expect(livenessOf({ ...me, pidNamespace: "pid:[1]" })).toBe("unknown");
  expect(livenessOf({ ...me, bootId: "00000000-0000-0000-0000-000000000000" })).toBe("unknown");
});
