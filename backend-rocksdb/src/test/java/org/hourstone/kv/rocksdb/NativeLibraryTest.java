package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000);

  @TempDir Path directory;

  @Test
  void theLibraryIsUnpackedOnce() throws IOException {
    Path library = directory.resolve("library");
    for (URL resource : new URL[] {inJar("machine code"), file("machine code")}) {
      NativeLibrary.unpack(resource, library);
      assertThat(library).hasContent("machine code");
      Files.setLastModifiedTime(library, LONG_AGO);
      NativeLibrary.unpack(resource, library);
      assertThat(Files.getLastModifiedTime(library)).isEqualTo(LONG_AGO);
      Files.delete(library);
    }
  }

  @Test
  void aCorruptOrOlderLibraryIsReplaced() throws IOException {
    Path library = directory.resolve("library");
    for (String present : new String[] {"", "machine", "machine cod!", "machine code and more"}) {
      Files.writeString(library, present);
      NativeLibrary.unpack(inJar("machine code"), library);
      assertThat(library).hasContent("machine code");
    }
  }

  @Test
  void nothingHalfDoneIsLeftBehind() throws IOException {
    Path library = directory.resolve("sub").resolve("library");
    Files.createDirectories(library.resolve("in the way"));
    assertThatThrownBy(() -> NativeLibrary.unpack(inJar("machine code"), library))
        .isInstanceOf(IOException.class);
    assertThat(library.getParent()).isDirectoryNotContaining("glob:**library.*");
  }

  private URL file(String content) throws IOException {
    return Files.writeString(directory.resolve("resource"), content).toUri().toURL();
  }

  private URL inJar(String content) throws IOException {
    Path jar = directory.resolve("some.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new JarEntry("resource"));
      entries.write(content.getBytes(StandardCharsets.UTF_8));
      entries.closeEntry();
    }
    return URI.create("jar:" + jar.toUri() + "!/resource").toURL();
  }
}
