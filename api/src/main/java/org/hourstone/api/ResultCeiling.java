package org.hourstone.api;

import org.hourstone.Settings;
import org.hourstone.Tsdb;

/**
 * How many results a lookup or a suggestion may return.
 *
 * @param most 0 for any number
 */
record ResultCeiling(int most) {
  static ResultCeiling of(Tsdb db) {
    return new ResultCeiling(db.engine().options().get(Settings.LOOKUP_MAX_RESULTS));
  }

  /**
   * @throws ApiException 400 if more results are requested
   */
  void check(String parameter, int requested) {
    if (most > 0 && requested > most) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          parameter
              + " is "
              + requested
              + ", at most "
              + most
              + " is possible (hourstone.lookup.max_results)");
    }
  }

  /** The limit to use for a requested one, where 0 or less requests all. */
  int bounded(int requested) {
    return requested < 1 && most > 0 ? most : requested;
  }
}
