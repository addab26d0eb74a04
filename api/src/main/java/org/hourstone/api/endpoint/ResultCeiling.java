package org.hourstone.api.endpoint;

import org.hourstone.api.request.ApiException;

/**
 * The maximum number of results of a lookup or a suggestion. Clients request far more results than
 * there are. So a request with a higher limit is accepted, but a response with more results is
 * refused.
 *
 * @param most 0 for any number
 */
public record ResultCeiling(int most) {
  /** The limit to use for a requested one, where 0 or less requests all. */
  public int bounded(int requested) {
    return requested < 1 && most > 0 ? most : requested;
  }

  /** Counts the results of a response, each before it is added. For one thread. */
  public Count count(String parameter, int requested) {
    return new Count(parameter, requested);
  }

  public final class Count {
    private final String parameter;
    private final int requested;
    private int results;

    private Count(String parameter, int requested) {
      this.parameter = parameter;
      this.requested = requested;
    }

    /**
     * @throws ApiException 413 if there are too many
     */
    public void next() {
      results++;
      if (most > 0 && requested > most && results > most) {
        throw new ApiException(
            ApiException.TOO_LARGE,
            parameter
                + " is "
                + requested
                + ", and there are more than "
                + most
                + " results, the maximum (hourstone.lookup.max_results)");
      }
    }
  }
}
