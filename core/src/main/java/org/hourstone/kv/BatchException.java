package org.hourstone.kv;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A batch some of whose elements were not applied. {@link #outcome()} is the worst outcome of its
 * elements: UNKNOWN before REJECTED before NOT_APPLIED.
 */
public final class BatchException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final transient List<@Nullable Outcome> outcomes;

  /**
   * @param outcomes one per element of the batch, in its order; {@code null} where the element was
   *     applied. At least one is not null.
   */
  public BatchException(
      String message, List<@Nullable Outcome> outcomes, @Nullable Throwable cause) {
    super(worst(outcomes), message, cause);
    this.outcomes = Collections.unmodifiableList(new ArrayList<>(outcomes));
  }

  /** One per element of the batch, in its order; {@code null} where the element was applied. */
  public List<@Nullable Outcome> outcomes() {
    return outcomes;
  }

  private static Outcome worst(List<@Nullable Outcome> outcomes) {
    if (outcomes.contains(Outcome.UNKNOWN)) {
      return Outcome.UNKNOWN;
    }
    if (outcomes.contains(Outcome.REJECTED)) {
      return Outcome.REJECTED;
    }
    if (outcomes.stream().noneMatch(Objects::nonNull)) {
      throw new IllegalArgumentException("a batch exception without a failed element");
    }
    return Outcome.NOT_APPLIED;
  }
}
