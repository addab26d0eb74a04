package org.hourstone.tsd.compare;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Different requests in their order, up to a limit, and what was left out of files. */
final class RequestList {
  private final int limit;
  private final Set<SafeRequest> requests = new LinkedHashSet<>();
  private final Map<String, Long> skipped = new TreeMap<>();
  private boolean isCut;

  public RequestList(int limit) {
    this.limit = limit;
  }

  /** Adds a request, or counts why it can't be used. */
  void add(Supplier<SafeRequest> request) {
    try {
      SafeRequest usable = request.get();
      if (requests.size() < limit) {
        requests.add(usable);
      } else {
        isCut |= !requests.contains(usable);
      }
    } catch (UnusableRequestException e) {
      skip(String.valueOf(e.getMessage()));
    }
  }

  void skip(String reason) {
    skipped.merge(reason, 1L, Long::sum);
  }

  public List<SafeRequest> requests() {
    return List.copyOf(requests);
  }

  /** How many lines, panels or queries were skipped, by the reason. */
  public Map<String, Long> skipped() {
    return skipped;
  }

  /** Whether there were more requests than the limit. */
  public boolean isCut() {
    return isCut;
  }
}
