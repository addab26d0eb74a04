package org.hourstone.tsd.command;

import java.util.List;
import org.hourstone.tsd.session.Progress;
import org.hourstone.tsd.session.Session;
import org.hourstone.write.ImportListener;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of an import: the first rejected lines when they occur, and for each file a
 * bar of its bytes. Without a bar, it shows how much is safely stored, so that an operator can
 * resume a killed import from there.
 */
final class ImportProgress implements ImportListener, AutoCloseable {
  static final int REJECTIONS_SHOWN = 10;

  /** The beginning of the message of a {@link org.hourstone.uid.NoSuchNameException}. */
  private static final String UNKNOWN_METRIC = "No such name for 'metrics'";

  private static final int LINES_PER_STEP = 1000;

  /** The size from which a file is shown in KiB; from 1024 times this size, in MiB. */
  private static final long LEAST_IN_UNIT = 10 << 10;

  private static final List<String> UNITS = List.of(" B", " KiB", " MiB");

  private final Session session;
  private final Progress progress;
  private final boolean showRejections;
  private final @Nullable Rejects rejects;
  private final @Nullable ImportPlaces places;
  private final boolean hasRejectedBefore;
  private @Nullable ImportInput input;
  private long rejections;
  private long failures;
  private long lines;
  private volatile long storedUpTo;
  private boolean unknownMetric;

  /**
   * @param showRejections whether rejected lines are shown; otherwise the first rejected line ends
   *     the import and is reported then
   * @param rejects receives rejected lines; null for none
   * @param places records how much is stored; null for none
   */
  ImportProgress(
      Session session,
      Progress progress,
      boolean showRejections,
      @Nullable Rejects rejects,
      @Nullable ImportPlaces places) {
    this.session = session;
    this.progress = progress;
    this.showRejections = showRejections;
    this.rejects = rejects;
    this.places = places;
    this.hasRejectedBefore = places != null && places.hasRejected();
  }

  /** The number of lines of a file that an earlier import has stored. */
  long storedBefore(String file) {
    return places == null ? 0 : places.of(file);
  }

  /** Whether an interrupted import that is continued has skipped rejected lines. */
  boolean hasRejectedBefore() {
    return hasRejectedBefore;
  }

  /** Whether repeating the same command continues the import. */
  boolean resumes() {
    return places != null;
  }

  /** The number of the last stored line of the current file. */
  long storedUpTo() {
    return storedUpTo;
  }

  /** The number of lines the store has not accepted. */
  long failures() {
    return failures;
  }

  /** Starts the next file. */
  void start(ImportInput next) {
    close();
    input = next;
    storedUpTo = storedBefore(next.name());
    long size = next.size() < 0 ? Long.MAX_VALUE : next.size();
    int unit = size < LEAST_IN_UNIT ? 0 : size < (LEAST_IN_UNIT << 10) ? 1 : 2;
    progress.start(next.name(), next.size(), UNITS.get(unit), 1L << (10 * unit));
  }

  /** Whether a line was rejected because its metric is unknown. */
  boolean hasUnknownMetric() {
    return unknownMetric;
  }

  @Override
  public void rejected(String place, String reason) {
    unknownMetric |= reason.startsWith(UNKNOWN_METRIC);
    if (showRejections && places != null) {
      places.rejected();
    }
    if (showRejections && ++rejections <= REJECTIONS_SHOWN) {
      progress.line(place + ": rejected: " + reason);
    }
  }

  @Override
  public void rejected(String place, String reason, String line) {
    rejected(place, reason);
    if (rejects != null) {
      rejects.add(place, reason, line);
    }
  }

  @Override
  public void failed(String place, String reason) {
    failures++;
  }

  @Override
  public boolean isStopped() {
    return session.ending().isStopped();
  }

  @Override
  public void read(long more) {
    long steps = lines / LINES_PER_STEP;
    lines += more;
    if (lines / LINES_PER_STEP > steps) {
      step();
    }
  }

  @Override
  public void stored(String file, long lineNumber) {
    step();
    // In this order, so that an import that continues there loses neither a point nor a rejected
    // line.
    if (rejects != null) {
      rejects.flush();
    }
    if (places != null) {
      places.stored(file, lineNumber);
    }
    boolean news = lineNumber > storedUpTo;
    storedUpTo = lineNumber;
    if (!progress.redraws() && news) {
      progress.line(file + ": stored up to line " + lineNumber);
    }
  }

  private void step() {
    if (input != null) {
      progress.stepTo(input.read());
    }
  }

  @Override
  public void close() {
    step();
    progress.close();
    input = null;
  }
}
