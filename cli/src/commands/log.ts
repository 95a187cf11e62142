import type { Command } from "commander";
import { fail, type ReinError, type SessionEvent, type Store, unwrap } from "rein";
import type { CommandContext } from "../command-context.ts";
import { damageTeller } from "../damage-teller.ts";
import { eventLine } from "../event-line.ts";
import { EXIT } from "../exit-code.ts";
import { onInterrupt } from "../interrupts.ts";
import { withReadableStore } from "../open-store.ts";
import { wholeNumber } from "../option-values.ts";
import { sessionEvents } from "../session-events.ts";

interface Flags {
  readonly from: number;
  readonly json?: boolean;
  readonly follow?: boolean;
}

/** Milliseconds after which a follower looks again even if nothing told it to. */
const LOOK_AGAIN = 1_000;

/** `rein log SESSION`: its events, one a line. */
export function defineLog(command: Command, context: CommandContext): void {
  command
    .argument("<session>", "Id of the session.")
    .option("--from <seq>", "First event shown.", wholeNumber(1), 1)
    .option("--json", "Each event as a JSON object with all of its data.")
    .option("--follow", "Stay and show events as they come.")
    .action((session: string, flags: Flags) =>
      withReadableStore(context, (store) => log(context, store, session, flags)),
    );
}

async function log(context: CommandContext, store: Store, session: string, flags: Flags): Promise<void> {
  const { output } = context;
  const head = unwrap(await store.head(session));
  if (head === null) unwrap(unknown(session, store));
  const print = (event: SessionEvent): void =>
    output.text(`${flags.json === true ? JSON.stringify(event) : eventLine(event)}\n`);
  const tell = damageTeller(context);
  let damaged = false;
  const onDamage = (error: ReinError): void => {
    damaged = true;
    tell(error);
  };
  const news = new News();
  const unwatch = store.watch(() => news.come());
  const offFault = output.onFault(() => news.end());
  const offInterrupt = onInterrupt(() => news.end());
  try {
    for (let next = flags.from; ; ) {
      for await (const event of sessionEvents(store, session, next, onDamage)) {
        print(event);
        next = event.seq + 1;
        if (output.fault !== null) return;
      }
      if (flags.follow !== true || damaged) return;
      if (await news.ended()) return output.fault === null ? context.exit(EXIT.interrupted) : undefined;
    }
  } finally {
    offInterrupt();
    offFault();
    unwatch();
  }
}

function unknown(session: string, store: Store) {
  return fail("session_unknown", `There is no session ${session} in ${store.name}.`, "See `rein sessions`.");
}

/** Waits for something new, or for the end. */
class News {
  #came = false;
  #over = false;
  #wake: () => void = () => undefined;

  come(): void {
    this.#came = true;
    this.#wake();
  }

  end(): void {
    this.#over = true;
    this.#wake();
  }

  /** Resolves at the next news; true when it is the end. */
  async ended(): Promise<boolean> {
    if (!this.#came && !this.#over) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_AGAIN);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#came = false;
    return this.#over;
  }
}
