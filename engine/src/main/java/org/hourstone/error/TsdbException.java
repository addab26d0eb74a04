package org.hourstone.error;

import org.jspecify.annotations.Nullable;

/**
 * A failure that the engine foresees. Its message is meant for the user; the category decides what
 * a caller can do about it. Two others have their own classes, since they are thrown below the
 * engine: {@link org.hourstone.kv.StoreException} by the store, and {@link
 * org.hourstone.codec.CorruptDataException} for bytes that violate the format.
 *
 * <p>Other exceptions, such as an {@link IllegalArgumentException}, are programming errors of the
 * caller or of Hourstone.
 */
public class TsdbException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of a failure. */
  public enum Category {
    /** The request is invalid, or contradicts the stored data: it must be changed. */
    REQUEST,
    /** Something that the request names does not exist. */
    NOT_FOUND,
    /** The request exceeds a limit: it must be narrowed, or the limit raised. */
    LIMIT,
    /** The request was cancelled. */
    CANCELLED,
    /** Stored data is corrupt or exhausted; the request fails until an operator intervenes. */
    CORRUPTION,
    /** The store has failed, or contradicts another one. */
    STORE
  }

  private final Category category;

  public TsdbException(Category category, String message) {
    this(category, message, null);
  }

  public TsdbException(Category category, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.category = category;
  }

  public final Category category() {
    return category;
  }

  /** The text for the user. */
  @Override
  public final String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
