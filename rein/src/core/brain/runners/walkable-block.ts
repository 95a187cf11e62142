import { isDeeperThan, MOST_JSON_DEPTH, textOfDeepJson } from "../../json.ts";
import type { Block } from "../../message/message.ts";

/**
 * A block of a model as everything behind the door can walk it: arguments nested too deeply are kept as their raw text, like
 * those that are no JSON, so the call is answered with what is wrong and nothing of it is lost. Others come back as they are.
 */
export function walkableBlock(block: Block): Block {
  if (block.type !== "tool_use" || !isDeeperThan(block.input, MOST_JSON_DEPTH)) return block;
  return { ...block, input: {}, malformed: block.malformed ?? textOfDeepJson(block.input) };
}
