package org.hourstone.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.export.ExportedRows.Placed;
import org.hourstone.export.RowText.Omission;
import org.hourstone.export.RowText.Written;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.query.QueryLimits;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.RowSelection;
import org.hourstone.series.MemoryLease;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesNames;
import org.jspecify.annotations.Nullable;

/**
 * The stored points of a selection as text, in pieces. Between two pieces some hundred kilobytes of
 * rows are held, unless one is larger; it may be left at any time. The last line says that it is
 * complete. For one thread.
 *
 * <p>Every {@link #MARK} bytes a line names the place that was reached. An export of the same
 * request that continues after it writes the same text as this one, if the data has not changed.
 */
public final class Export implements AutoCloseable {
  /** About how many bytes are between two places from which an export can continue. */
  static final int MARK = 1 << 16;

  /** The memory of a row as points, for each of its bytes. */
  private static final int SIZE_IN_MEMORY = 16;

  private static final int CAPACITY = 1 << 16;

  /** The number of bytes of text with which a piece ends, after a whole row. */
  private static final int PIECE = 1 << 16;

  private final ExportFormat format;
  private final ExportedRows rows;
  private final RowText texts;
  private final RequestBudget budget;
  private final QueryLimits limits;
  private final JsonBuffer text = new JsonBuffer(CAPACITY);

  /** The bytes since the last place, without those that are still in the buffer. */
  private long sinceMark;

  private @Nullable Batch batch;
  private boolean isBegun;
  private boolean isEnded;
  private long bytes;
  private long points;
  private long omitted;

  /** Rows that are read and not written yet, and their memory. */
  private record Batch(Deque<Placed> rows, MemoryLease memory) {}

  /**
   * @param store whose rows are those that queries see
   * @param family that of the data table
   * @param selections of the request; empty for all rows
   * @param rules the rules for names of the importing database
   * @throws org.hourstone.error.RequestException if the request's place is not one
   */
  public Export(
      KeyValueReader store,
      Family family,
      RowKey keys,
      SeriesNames names,
      NameRules rules,
      List<RowSelection> selections,
      ExportRequest what,
      RequestBudget budget,
      QueryLimits limits) {
    this.format = what.format();
    this.rows =
        new ExportedRows(
            budget.reading(store),
            family,
            keys,
            what.queries().isEmpty()
                ? List.of(new RowSelection(List.of(Scan.all()), row -> true))
                : selections,
            what);
    this.texts = new RowText(format, keys, names, rules, what.fromMillis(), what.toMillis());
    this.budget = budget;
    this.limits = limits;
  }

  private Batch read() {
    MemoryLease memory = budget.memory().child();
    boolean isRead = false;
    try {
      Batch read = new Batch(new ArrayDeque<>(rows.read(size -> hold(size, memory))), memory);
      isRead = true;
      return read;
    } finally {
      if (!isRead) {
        memory.close();
      }
    }
  }

  /** Drops what was read and is not written. */
  @Override
  public void close() {
    Batch unwritten = batch;
    batch = null;
    if (unwritten != null) {
      unwritten.memory().close();
    }
  }

  /**
   * Writes the next piece, of some ten kilobytes unless a row is larger. The text of rows may be
   * many times as large as they are.
   *
   * @return whether more follows
   * @throws IOException if the stream throws it; then nothing more can be written
   * @throws QueryLimitException if the request has read as much as a query may
   */
  public boolean next(OutputStream out) throws IOException {
    if (isEnded) {
      return false;
    }
    if (!isBegun) {
      isBegun = true;
      text.raw(format.head());
      sinceMark = -text.size(); // the places are the same, wherever an export begins
    }
    Batch current = batch == null ? read() : batch;
    batch = current;
    Counted counted = new Counted(out);
    boolean isWritten = false;
    try {
      if (current.rows().isEmpty()) {
        isEnded = true;
        format.end(text, points, omitted);
      }
      while (!current.rows().isEmpty() && counted.written + text.size() < PIECE) {
        write(current.rows().remove(), counted);
      }
      text.drainTo(counted);
      isWritten = true;
    } finally {
      if (!isWritten || current.rows().isEmpty()) {
        close();
      }
    }
    return !isEnded;
  }

  private void hold(long size, MemoryLease memory) {
    memory.grow(SIZE_IN_MEMORY * size);
    bytes += size;
    check(bytes, limits.bytes(), Limit.BYTES, " bytes (tsd.query.limits.bytes.default)");
  }

  private void write(Placed placed, OutputStream out) throws IOException {
    Row row = placed.row();
    Written written = texts.write(row, text, out);
    for (Omission omission : written.omitted()) {
      format.omission(text, row.key(), row.qualifier(omission.cell()), omission.reason());
    }
    points += written.points();
    omitted += written.omitted().size();
    budget.read(0, 0, written.points());
    check(points, limits.points(), Limit.POINTS, " points (tsd.query.limits.data_points.default)");
    if (sinceMark + text.size() >= MARK) {
      format.after(text, placed.token());
      text.drainTo(out);
      sinceMark = 0;
    }
  }

  private static void check(long used, long most, Limit limit, String unit) {
    if (most != QueryLimits.UNLIMITED && used > most) {
      throw new QueryLimitException(
          limit,
          "the export reads more than "
              + most
              + unit
              + ": narrow its range, or continue after the last place that it names");
    }
  }

  /** Counts the bytes of lines. */
  private final class Counted extends OutputStream {
    private final OutputStream out;
    private long written;

    Counted(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b});
    }

    @Override
    public void write(byte[] more, int from, int length) throws IOException {
      sinceMark += length;
      written += length;
      out.write(more, from, length);
    }
  }
}
