package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  @TempDir Path directory;

  @Test
  void theNextDirectoryIsUsedIfOneCannotBeAndNothingIsLeftBehind() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    RocksDbErrors errors = new RocksDbErrors(directory);
    assertThatThrownBy(() -> NativeLibrary.load(List.of(file), errors))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot unpack RocksDB's native library: " + file)
        .hasMessageContaining("set java.io.tmpdir");

    NativeLibrary.load(List.of(file, directory), errors);

    try (var left = Files.list(directory)) {
      assertThat(left).containsExactly(file);
    }
  }
}
