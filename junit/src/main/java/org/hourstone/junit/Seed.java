package org.hourstone.junit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.hourstone.Tsdb;
import org.hourstone.write.ImportListener;
import org.hourstone.write.ImportOptions;

/** Points in import lines that a database has when a test begins. */
interface Seed {
  void store(Tsdb db);

  static Seed lines(List<String> lines) {
    byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    return db -> read(db, "line", new ByteArrayInputStream(text));
  }

  static Seed file(Path file) {
    return db -> {
      try (InputStream bytes = Files.newInputStream(file);
          InputStream text = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes) {
        read(db, file.toString(), text);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  private static void read(Tsdb db, String name, InputStream text) {
    boolean comments = db.engine().options().importOptions(false).comments();
    // Tests list their points in the order that reads best.
    db.importer(new ImportOptions(false, true, comments), new NoProgress()).run(name, text);
    db.flush();
  }

  /** The first rejected line ends the import with an exception that names it. */
  final class NoProgress implements ImportListener {
    @Override
    public void rejected(String place, String reason) {}

    @Override
    public void read(long lines) {}

    @Override
    public void stored(String file, long lineNumber) {}
  }
}
