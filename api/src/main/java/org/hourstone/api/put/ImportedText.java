package org.hourstone.api.put;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The lines of files of another format as lines for {@code import}. One that has no point is an
 * empty line; those that have something else are counted. For one thread.
 */
public abstract class ImportedText implements UnaryOperator<String> {
  private final Map<String, Long> skipped = new TreeMap<>();

  /**
   * The line for {@code import}.
   *
   * @throws org.hourstone.error.RequestException if it has none; the message says why
   */
  @Override
  public abstract String apply(String line);

  /** The name of the format, as an option of {@code import} has it. */
  public abstract String option();

  protected final void skip(String what) {
    skipped.merge(what, 1L, Long::sum);
  }

  /** What was skipped, and how often. */
  public final Map<String, Long> skipped() {
    return skipped;
  }
}
