import { expect, it } from "vitest";
import { networkFileSystem } from "./network-file-system.ts";

// Lines of proc(5)'s mountinfo as such mounts write them.
const MOUNTS = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:35 / /mnt/remote rw,nosuid,nodev,relatime shared:20 - fuse.sshfs me@host:/data rw,user_id=1000
41 22 0:36 / /mnt/stick rw,relatime shared:21 - fuseblk /dev/sdb1 rw,user_id=0
42 22 0:37 / /mnt/a\\040b rw,relatime shared:22 - fuse.rclone remote: rw
43 40 0:38 / /mnt/remote/local rw,relatime shared:23 - fuse.gocryptfs /crypt rw
`;

const FUSE = 0x65735546;

it.each([
  ["/home", 0xef53, null],
  ["/tmp", 0x01021994, null],
  ["/home", 0x794c7630, null],
  ["/net", 0x6969, "NFS"],
  ["/net", 0x517b, "SMB"],
  ["/net", 0xff534d42, "CIFS"],
  ["/net", -11317950, "CIFS"],
  ["/net", 0xfe534d42, "SMB2"],
  ["/net", 0x00c36400, "Ceph"],
  ["/mnt/remote", FUSE, "fuse.sshfs"],
  ["/mnt/remote/deep/er", FUSE, "fuse.sshfs"],
  ["/mnt/remote/local/x", FUSE, null],
  ["/mnt/remoteness", FUSE, "ext4"],
  ["/mnt/stick/x", FUSE, null],
  ["/mnt/a b/c", FUSE, "fuse.rclone"],
])("of %s with type %i is %s", (folder, type, expected) => {
  expect(networkFileSystem(folder, { type }, MOUNTS)).toBe(expected);
});

it("of FUSE without a table of mounts is refused", () => {
  expect(networkFileSystem("/mnt/remote", { type: FUSE }, "")).toBe("FUSE");
});
