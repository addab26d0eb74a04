package org.hourstone.query;

import java.util.List;

/**
 * The rows and cells that a query skipped because they could not be decoded ({@code
 * hourstone.query.corrupt_rows=skip}). If there are any, the result may be incomplete.
 *
 * @param count the number of rows and cells
 * @param first the error of the first of them, which names row and cell
 */
public record Corruption(long count, List<String> first) {
  public Corruption {
    first = List.copyOf(first);
  }
}
