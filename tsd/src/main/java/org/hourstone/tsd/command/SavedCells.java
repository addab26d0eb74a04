package org.hourstone.tsd.command;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.RecordFileException;
import org.hourstone.tsd.terminal.OutputException;
import org.hourstone.tsd.terminal.TextOutput;
import org.hourstone.tsd.view.CellsView;
import org.jspecify.annotations.Nullable;

/** A file to which cells are added before they are removed; each row is flushed immediately. */
final class SavedCells implements AutoCloseable {
  private final @Nullable Path path;
  private final OutputStream file;
  private final TextOutput out;

  /**
   * @param path the file; null for none
   * @throws RecordFileException also from the other methods, if the file can't be written
   */
  SavedCells(@Nullable Path path) {
    this.path = path;
    try {
      this.file =
          path == null
              ? OutputStream.nullOutputStream()
              : Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw failed(e);
    }
    this.out = new TextOutput(file);
  }

  private CommandException failed(IOException e) {
    return new RecordFileException("--save", Objects.requireNonNull(path), e);
  }

  void add(Family family, Row cells) {
    if (path == null) {
      return;
    }
    try {
      CellsView view = new CellsView(out, true);
      view.show(family, cells);
      view.finish();
      out.flush();
    } catch (OutputException e) {
      throw failed(e.reason());
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
