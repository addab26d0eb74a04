package org.hourstone.api;

/**
 * How many results a lookup or a suggestion may return. Clients request far more than there are, so
 * what is refused is not the request, but a response that would have more.
 *
 * @param most 0 for any number
 */
record ResultCeiling(int most) {
  /** The limit to use for a requested one, where 0 or less requests all. */
  int bounded(int requested) {
    return requested < 1 && most > 0 ? most : requested;
  }

  /** Counts the results of a response, each before it is added. For one thread. */
  Count count(String parameter, int requested) {
    return new Count(parameter, requested);
  }

  final class Count {
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
    void next() {
      results++;
      if (most > 0 && requested > most && results > most) {
        throw new ApiException(
            ApiException.TOO_LARGE,
            parameter
                + " is "
                + requested
                + ", and there are more than "
                + most
                + " results, which are the most that are possible (hourstone.lookup.max_results)");
      }
    }
  }
}
