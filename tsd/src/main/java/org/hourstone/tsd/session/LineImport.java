package org.hourstone.tsd.session;

import org.hourstone.write.ImportReport;
import org.hourstone.write.Importer;
import org.hourstone.write.LineSource;

/** Stores the points of lines, wherever that is. For one thread, but for {@link #stored}. */
public interface LineImport {
  /**
   * As {@link Importer#run(String, LineSource, long)}.
   *
   * @param file its name, for messages
   * @param skip how many lines are stored already
   */
  void run(String file, LineSource source, long skip);

  /** The result for the files imported so far. */
  ImportReport report();

  /** The number of points stored so far. May be called by any thread. */
  long stored();

  /** One into a database that this process has open. */
  static LineImport of(Importer importer) {
    return new LineImport() {
      @Override
      public void run(String file, LineSource source, long skip) {
        importer.run(file, source, skip);
      }

      @Override
      public ImportReport report() {
        return importer.report();
      }

      @Override
      public long stored() {
        return importer.stored();
      }
    };
  }
}
