import { ok, type Result } from "../errors.ts";
import type { ExportSource } from "./portable-lines.ts";
import { type ExportReport, readExport } from "./portable-reader.ts";

/** What {@link verifyExport} found. */
export interface ExportVerification extends ExportReport {
  /** No damage and no loss. */
  readonly ok: boolean;
}

/**
 * Checks an exported file without importing it, in little memory. Errors as with `importSession`: `import_invalid` when it is
 * empty or no export, `version_unknown` when a newer Rein wrote it; all else is a finding.
 */
export async function verifyExport(source: ExportSource): Promise<Result<ExportVerification>> {
  const report = await readExport(source, { event: () => undefined, blob: () => undefined });
  if (!report.ok) return report;
  return ok({ ...report.value, ok: report.value.findings.every(({ kind }) => kind === "notice") });
}
