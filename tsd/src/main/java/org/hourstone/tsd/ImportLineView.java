package org.hourstone.tsd;

import java.util.HexFormat;
import java.util.List;
import org.hourstone.kv.Row;
import org.hourstone.tool.ImportLines;
import org.hourstone.tool.ImportLines.Omission;

/** Rows as lines for {@code import}; tells on standard error what is not among them. */
final class ImportLineView implements RowView {
  private static final int OMISSIONS_SHOWN = 10;

  private final Session session;
  private final ImportLines lines;
  private long damaged;
  private long others;

  ImportLineView(Session session, ImportLines lines) {
    this.session = session;
    this.lines = lines;
  }

  @Override
  public Row show(Row row) {
    ImportLines.Lines shown = lines.of(row);
    shown.lines().forEach(session.out()::line);
    for (Omission omission : shown.omitted()) {
      others += omission.damaged() ? 0 : 1;
      if (omission.damaged() && ++damaged <= OMISSIONS_SHOWN) {
        session.complain(
            "row "
                + HexFormat.of().formatHex(row.key())
                + ", cell "
                + HexFormat.of().formatHex(row.qualifier(omission.cell()))
                + ": "
                + omission.reason());
      }
    }
    return only(row, shown.cells());
  }

  private static Row only(Row row, List<Integer> cells) {
    return Row.of(
        row.key(),
        cells.stream().map(row::qualifier).toArray(byte[][]::new),
        cells.stream().map(row::value).toArray(byte[][]::new),
        cells.stream().mapToLong(row::writeTime).toArray());
  }

  @Override
  public boolean finish() {
    if (others > 0) {
      session.complain(
          Plurals.count(others, "cell") + " of annotations, histograms or unknown things left out");
    }
    if (damaged > 0) {
      session.complain(
          Plurals.count(damaged, "cell")
              + " left out that no line can hold whole"
              + (damaged > OMISSIONS_SHOWN
                  ? "; the first " + OMISSIONS_SHOWN + " are shown above"
                  : ""));
    }
    return damaged == 0;
  }
}
