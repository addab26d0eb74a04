package org.hourstone.tsd.regions;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.hourstone.RetentionSettings;
import org.hourstone.kv.Family;
import org.hourstone.retention.RetentionRules;
import org.jspecify.annotations.Nullable;

/** What the settings say about tables, beside what the tables are. */
final class TableChecks {
  private TableChecks() {}

  /**
   * Whether the store drops points earlier than the rules would.
   *
   * @return what is wrong, and what to do; null if nothing
   */
  static @Nullable String pointsTtl(Family family, Optional<Duration> ttl, RetentionRules rules) {
    if (ttl.isEmpty() || rules.isEmpty()) {
      return null;
    }
    OptionalLong longest = rules.longestOfPoints();
    if (longest.isPresent() && ttl.get().toSeconds() >= longest.getAsLong()) {
      return null;
    }
    String kept =
        longest.isPresent() ? "for " + text(Duration.ofSeconds(longest.getAsLong())) : "for ever";
    String wanted = longest.isPresent() ? Long.toString(longest.getAsLong()) : "'FOREVER'";
    return ("table %s, family %s: its TTL of %s deletes points that a rule of %s keeps %s: alter"
            + " '%1$s', {NAME => '%2$s', TTL => %6$s}, or shorten the rule")
        .formatted(
            family.table(),
            family.name(),
            text(ttl.get()),
            RetentionSettings.RULES.key(),
            kept,
            wanted);
  }

  /** The same for a family without which points can't be found. */
  static @Nullable String namesTtl(Family family, Optional<Duration> ttl) {
    return ttl.isEmpty()
        ? null
        : ("table %s, family %s: its TTL of %s deletes what points need to be found: alter '%1$s',"
                + " {NAME => '%2$s', TTL => 'FOREVER'}")
            .formatted(family.table(), family.name(), text(ttl.get()));
  }

  /** Whether a salted table has too few regions to spread its buckets. */
  static @Nullable String fewRegions(String table, int regions, KeyForm form) {
    return regions >= form.buckets()
        ? null
        : ("table %s: %d of its regions for %d salt buckets: hourstone regions %1$s --split"
                + " --salt --larger-than 0 --yes, again until each bucket has one")
            .formatted(table, regions, form.buckets());
  }

  /** Days if they are whole, else seconds. */
  private static String text(Duration duration) {
    long seconds = duration.toSeconds();
    long day = Duration.ofDays(1).toSeconds();
    return seconds % day == 0 ? seconds / day + "d" : seconds + "s";
  }
}
