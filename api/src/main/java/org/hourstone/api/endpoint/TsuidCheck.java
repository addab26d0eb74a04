package org.hourstone.api.endpoint;

import org.hourstone.api.request.ApiException;
import org.hourstone.codec.RowKey;
import org.hourstone.error.RequestException;
import org.hourstone.internal.UidText;

/** Checks the TSUIDs in lists of requests, before anything is done for one of them. */
public record TsuidCheck(RowKey keys) {
  /**
   * @param place of the TSUID in the request
   * @throws ApiException if the text can't be that of a series
   */
  public void check(String tsuid, String place) {
    if (!isTsuid(tsuid)) {
      throw refused(place, tsuid, "");
    }
  }

  private boolean isTsuid(String text) {
    try {
      return text.length() % 2 == 0 && keys.isTsuid(UidText.parse(text));
    } catch (RequestException e) {
      return false;
    }
  }

  public static ApiException refused(String place, String tsuid, String why) {
    return new ApiException(
        ApiException.BAD_REQUEST,
        "The TSUIDs can't be read",
        place + ": '" + tsuid + "' is not the TSUID of a series" + why);
  }
}
