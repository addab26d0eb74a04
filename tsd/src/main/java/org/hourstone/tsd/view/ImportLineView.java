package org.hourstone.tsd.view;

import java.util.HexFormat;
import java.util.List;
import org.hourstone.export.RowText.Omission;
import org.hourstone.kv.Row;
import org.hourstone.tool.ImportLines;
import org.hourstone.tsd.session.Session;
import org.hourstone.tsd.terminal.Plurals;

/** Rows as lines for {@code import}; reports cells without a line on standard error. */
public final class ImportLineView implements RowView {
  private static final int OMISSIONS_SHOWN = 10;

  private final Session session;
  private final ImportLines lines;
  private long corrupt;
  private long others;

  public ImportLineView(Session session, ImportLines lines) {
    this.session = session;
    this.lines = lines;
  }

  @Override
  public Row show(Row row) {
    ImportLines.Lines shown = lines.of(row);
    shown.lines().forEach(session.out()::line);
    for (Omission omission : shown.omitted()) {
      others += omission.corrupt() ? 0 : 1;
      if (omission.corrupt() && ++corrupt <= OMISSIONS_SHOWN) {
        session.report(
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
      session.report(
          Plurals.count(others, "cell") + " of annotations, histograms or unknown kinds omitted");
    }
    if (corrupt > 0) {
      session.report(
          Plurals.count(corrupt, "cell")
              + " omitted that no line can represent completely"
              + (corrupt > OMISSIONS_SHOWN
                  ? "; the first " + OMISSIONS_SHOWN + " are shown above"
                  : ""));
    }
    return corrupt == 0;
  }
}
