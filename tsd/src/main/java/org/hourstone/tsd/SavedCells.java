package org.hourstone.tsd;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.jspecify.annotations.Nullable;

/** A file that cells are added to before they are removed; each row is written out at once. */
final class SavedCells implements AutoCloseable {
  private final @Nullable TextOutput out;
  private final @Nullable OutputStream file;

  /**
   * @param path null for no file
   */
  SavedCells(@Nullable Path path) {
    try {
      this.file =
          path == null
              ? null
              : new BufferedOutputStream(
                  Files.newOutputStream(
                      path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw new CommandException(Problem.reason(e), e);
    }
    this.out = file == null ? null : new TextOutput(file);
  }

  void add(Family family, Row cells) {
    if (out != null) {
      CellsView view = new CellsView(out, true);
      view.show(family, cells);
      view.finish();
      out.flush();
    }
  }

  @Override
  public void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
