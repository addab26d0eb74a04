package org.hourstone.hbase;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system. Without its native library Hadoop's own starts a process for each file and
 * directory whose permissions it sets: about ten for a table.
 */
final class LocalFiles extends RawLocalFileSystem {
  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    Files.setAttribute(pathToFile(path).toPath(), "unix:mode", (int) permission.toShort());
  }
}
