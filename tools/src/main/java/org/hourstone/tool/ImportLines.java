package org.hourstone.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.hourstone.export.RowText;
import org.hourstone.export.RowText.Omission;
import org.hourstone.export.RowText.Written;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.kv.Row;

/** The points of rows as lines that {@code import} accepts, as {@link RowText} writes them. */
public final class ImportLines {
  private static final int CAPACITY = 1 << 12;

  private final RowText texts;

  /**
   * A row as lines.
   *
   * @param lines the lines without line ends
   * @param cells the cells whose points are all in the lines, ascending
   * @param omitted the other cells
   */
  public record Lines(List<String> lines, List<Integer> cells, List<Omission> omitted) {}

  /**
   * @param texts those of lines
   */
  ImportLines(RowText texts) {
    this.texts = texts;
  }

  /** The lines of a row. */
  public Lines of(Row row) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    JsonBuffer text = new JsonBuffer(CAPACITY);
    try {
      Written written = texts.write(row, text, all);
      text.drainTo(all);
      return new Lines(all.toString(UTF_8).lines().toList(), written.cells(), written.omitted());
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
  }
}
