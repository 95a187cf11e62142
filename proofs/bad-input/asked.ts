/** A request as it is noted where there is no room for its text: digests of its tools and messages, and what is wrong with it. */
export interface Asked {
  readonly head: string;
  readonly messages: readonly string[];
  readonly faults: readonly string[];
}
