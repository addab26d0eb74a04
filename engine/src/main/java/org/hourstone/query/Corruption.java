package org.hourstone.query;

import java.util.List;

/**
 * What a query has passed over because it could not be understood ({@code
 * hourstone.query.damaged_rows=skip}): without it, the answer would be another.
 *
 * @param count how many rows and cells
 * @param first what was wrong with the first of them, naming row and cell
 */
public record Corruption(long count, List<String> first) {
  public Corruption {
    first = List.copyOf(first);
  }
}
