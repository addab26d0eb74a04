package org.hourstone.table;

import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/** A checkpoint is malformed or does not belong to this run. The message says why. */
public final class CheckpointException extends RequestException {
  private static final long serialVersionUID = 1L;

  CheckpointException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
