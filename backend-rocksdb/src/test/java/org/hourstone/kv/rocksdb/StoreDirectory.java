package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** What tests do to a store's directory behind its back. */
final class StoreDirectory {
  private StoreDirectory() {}

  /**
   * A copy of the directory of an open store: what a process would have left that died now. Files
   * RocksDB has written to are complete in it, which is all the store promises about them.
   */
  static Path copy(Path store, Path target) throws IOException {
    Files.createDirectories(target);
    for (Path file : files(store, "*")) {
      if (Files.isRegularFile(file)) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
    return target;
  }

  /** The files in a directory whose names match, in the order of their names. */
  static List<Path> files(Path directory, String glob) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> directory.getFileSystem().getPathMatcher("glob:**/" + glob).matches(file))
          .sorted()
          .toList();
    }
  }

  /** Inverts one bit of a file. */
  static void corrupt(Path file, int position) throws IOException {
    byte[] content = Files.readAllBytes(file);
    content[position] ^= 4;
    Files.write(file, content);
  }

  /** Something done with RocksDB itself. */
  interface Intrusion {
    void on(RocksDB db, List<ColumnFamilyHandle> handles) throws RocksDBException;
  }

  /** Opens a directory with RocksDB itself, with the default family and those named. */
  static void intrude(Path directory, List<String> families, Intrusion intrusion)
      throws RocksDBException {
    NativeLibrary.load(directory, true, new RocksDbErrors(directory));
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (RocksDbTuning tuning = new RocksDbTuning(RocksDbOptions.defaults(), true)) {
      tuning.database().setCreateMissingColumnFamilies(true);
      List<ColumnFamilyDescriptor> descriptors =
          Stream.concat(Stream.of("default"), families.stream())
              .map(name -> name.getBytes(StandardCharsets.UTF_8))
              .map(name -> new ColumnFamilyDescriptor(name, tuning.family()))
              .toList();
      try (RocksDB db =
          RocksDB.open(tuning.database(), directory.toString(), descriptors, handles)) {
        intrusion.on(db, handles);
        handles.forEach(ColumnFamilyHandle::close);
      }
    }
  }

  /** Has RocksDB rewrite all table files of a family, as it does itself sooner or later. */
  static void compact(Path directory, String family) throws RocksDBException {
    intrude(directory, List.of(family), (db, handles) -> db.compactRange(handles.get(1)));
  }
}
