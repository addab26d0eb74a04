package org.hourstone.tsd.view;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hourstone.api.request.PlotStyle;
import org.hourstone.query.ResultSeries;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.Problem;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.TextOutput;

/** A result as a picture in a PNG file. */
public final class GraphView implements SeriesView {
  private static final String SUFFIX = ".png";

  private final TextOutput out;
  private final Path file;
  private final Picture picture;
  private int series;
  private long points;

  /**
   * @param base the file's name; the suffix {@code .png} is added if it is missing
   */
  public GraphView(TextOutput out, Path base, PlotStyle style) {
    if (base.getFileName() == null) {
      throw new UsageException("--graph " + base + ": is not the name of a file");
    }
    this.out = out;
    this.file =
        base.toString().endsWith(SUFFIX) ? base : base.resolveSibling(base.getFileName() + SUFFIX);
    this.picture = new Picture(style);
  }

  @Override
  public void add(ResultSeries added) {
    if (added.size() > 0) {
      points += added.size();
      series++;
      long unused = picture.add(added);
    }
  }

  @Override
  public void finish() {
    if (series == 0) {
      out.line(TableView.NO_POINTS);
      return;
    }
    try {
      Files.write(file, picture.png());
    } catch (IOException e) {
      throw new CommandException(Problem.of("--graph", file, e), e);
    } catch (UnsupportedOperationException e) {
      throw new CommandException("--graph: " + e.getMessage(), e);
    }
    out.line(
        file
            + ": "
            + Plurals.count(series, "series", "series")
            + ", "
            + Plurals.count(points, "point"));
  }
}
