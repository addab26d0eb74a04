package org.hourstone.server;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.hourstone.Setting;

/** A file that only the daemon's user should be able to read. */
final class SecretFile {
  private static final System.Logger LOG = System.getLogger("org.hourstone.server");

  private SecretFile() {}

  /** Why a file can't be read if the rights of this process do not suffice. */
  static String denied() {
    return "permission denied to the user " + System.getProperty("user.name");
  }

  /** Warns if all users of the machine can read or change a file, or its group can change it. */
  static void warnIfShared(Setting<String> setting, Path file) {
    Set<PosixFilePermission> permissions;
    try {
      permissions = Files.getPosixFilePermissions(file);
    } catch (IOException | UnsupportedOperationException e) {
      return; // a file system without these permissions
    }
    boolean read = permissions.contains(PosixFilePermission.OTHERS_READ);
    if (read
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)
        || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
      LOG.log(
          Level.WARNING,
          setting.key()
              + ": other users of this machine can "
              + (read ? "read " : "change ")
              + file
              + "; only the daemon's user needs to: "
              + commands(file));
    }
  }

  /** Commands after which the daemon can still read a file, and other users can't. */
  private static String commands(Path file) {
    try {
      if (!Files.getOwner(file).getName().equals(System.getProperty("user.name"))) {
        PosixFileAttributes process =
            Files.readAttributes(Path.of("/proc/self"), PosixFileAttributes.class);
        return "chgrp " + process.group().getName() + " " + file + " && chmod 640 " + file;
      }
    } catch (IOException | UnsupportedOperationException e) {
      // It is not known whose the file is.
    }
    return "chmod 600 " + file;
  }
}
