package org.hourstone.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hourstone.Tsdb;
import org.hourstone.write.ImportListener;
import org.hourstone.write.Importer;

/** Imports a file of correct lines, silently. */
final class FileImport {
  private static final ImportListener SILENT =
      new ImportListener() {
        @Override
        public void rejected(String place, String reason) {}

        @Override
        public void read(long lines) {}

        @Override
        public void stored(String file, long lineNumber) {}
      };

  private FileImport() {}

  /** Returns the number of points the store has accepted. */
  static long run(Tsdb db, Path file) throws IOException {
    Importer importer = db.importer(db.engine().options().importOptions(false), SILENT);
    try (InputStream in = Files.newInputStream(file)) {
      importer.run(file.toString(), in);
    }
    return importer.report().stored();
  }
}
