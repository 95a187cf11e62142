/**
 * Types of file systems on which SQLite's locks and shared memory cannot be trusted, by the magic number statfs(2) gives
 * on Linux (linux/magic.h and the file systems' own sources).
 */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x73757245, "Coda"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x564c, "NCP"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0x19830326, "BeeGFS"],
  [0x47504653, "GPFS"],
]);

/** FUSE: what stands behind it, only the table of mounts tells. */
const FUSE_TYPE = 0x65735546;

/** Kinds of FUSE that work on a disk of this machine, as the table of mounts names them. */
const LOCAL_FUSE = new Set([
  "fuseblk",
  "fuse.fuse-overlayfs",
  "fuse.bindfs",
  "fuse.mergerfs",
  "fuse.gocryptfs",
  "fuse.encfs",
  "fuse.cryfs",
  "fuse.securefs",
  "fuse.ntfs-3g",
  "fuse.zfs",
  "fuse.lxcfs",
]);

/**
 * The name of the network file system a folder lies on; null when it lies on a local one, as far as can be told.
 * `statfs` is what `fs.statfsSync` gives for the folder, `mountInfo` the text of `/proc/self/mountinfo` (proc(5)).
 */
export function networkFileSystem(folder: string, statfs: { readonly type: number }, mountInfo: string): string | null {
  // 32-bit systems give the magic number with a sign.
  const type = statfs.type >>> 0;
  if (type !== FUSE_TYPE) return NETWORK_TYPES.get(type) ?? null;
  const kind = mountedAs(folder, mountInfo);
  return kind !== null && LOCAL_FUSE.has(kind) ? null : (kind ?? "FUSE");
}

/** The type of the mount that a folder belongs to: the one with the longest mount point above it. */
function mountedAs(folder: string, mountInfo: string): string | null {
  let longest = -1;
  let kind: string | null = null;
  for (const line of mountInfo.split("\n")) {
    const [left, right] = line.split(" - ");
    const point = left
      ?.split(" ")[4]
      ?.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
    const type = right?.split(" ")[0];
    if (point === undefined || type === undefined) continue;
    const above = folder === point || folder.startsWith(point.endsWith("/") ? point : `${point}/`);
    if (above && point.length >= longest) {
      longest = point.length;
      kind = type;
    }
  }
  return kind;
}
