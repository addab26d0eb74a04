package org.hourstone.tsd.regions;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.hourstone.kv.TableRegions.Region;

/**
 * How unevenly the parts of a table are filled and used.
 *
 * @param by what the parts are: {@code region}, {@code server} or {@code salt}
 */
record Skew(String by, List<Load> parts) {
  /** What a part has and does. Those of a salt bucket may be shares of a region's. */
  record Load(double bytes, double writes, double reads) {
    static final Load NONE = new Load(0, 0, 0);

    static Load of(Region region) {
      return new Load(region.bytes(), region.writes(), region.reads());
    }

    Load plus(Load other) {
      return new Load(bytes + other.bytes, writes + other.writes, reads + other.reads);
    }

    private Load dividedBy(int parts) {
      return new Load(bytes / parts, writes / parts, reads / parts);
    }
  }

  static Skew byRegion(Collection<Region> regions) {
    return new Skew("region", regions.stream().map(Load::of).toList());
  }

  /** A region without a server counts as one of its own. */
  static Skew byServer(Collection<Region> regions) {
    Map<String, Load> servers = new TreeMap<>();
    regions.forEach(region -> servers.merge(region.server(), Load.of(region), Load::plus));
    return new Skew("server", List.copyOf(servers.values()));
  }

  /** A region with several buckets counts in equal parts for each: rows are salted by a hash. */
  static Skew bySalt(Collection<Region> regions, KeyForm form) {
    List<Load> buckets = new ArrayList<>();
    for (int i = 0; i < form.buckets(); i++) {
      buckets.add(Load.NONE);
    }
    for (Region region : regions) {
      int first = form.firstBucket(region);
      int last = form.lastBucket(region);
      Load each = Load.of(region).dividedBy(last - first + 1);
      for (int bucket = first; bucket <= last; bucket++) {
        buckets.set(bucket, buckets.get(bucket).plus(each));
      }
    }
    return new Skew("salt", List.copyOf(buckets));
  }

  Load total() {
    return parts.stream().reduce(Load.NONE, Load::plus);
  }

  /** The largest part in relation to the mean, so 1 if all are equal; empty if all are zero. */
  OptionalDouble of(ToDoubleFunction<Load> figure) {
    double sum = figure.applyAsDouble(total());
    double largest = parts.stream().mapToDouble(figure).max().orElse(0);
    return sum == 0 ? OptionalDouble.empty() : OptionalDouble.of(largest * parts.size() / sum);
  }
}
