package org.hourstone.tsd.session;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file in which a command records its actions can't be used. The input and the store are valid,
 * but the command must not continue.
 */
public final class RecordFileException extends CommandException {
  private static final long serialVersionUID = 1L;

  public RecordFileException(String option, Path path, IOException e) {
    super(Problem.of(option, path, e), e);
  }
}
