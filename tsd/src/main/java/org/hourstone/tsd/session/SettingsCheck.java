package org.hourstone.tsd.session;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.jspecify.annotations.Nullable;

/** What the settings in a file mean here, key by key. */
public final class SettingsCheck {
  /** The line of a setting that is not in the file. */
  public static final int NO_LINE = 0;

  private static final String OPENTSDB = "tsd.";

  /** A name this far from a known one, as a part of its length, is not a misspelling of it. */
  private static final int FAR = 3;

  /** What becomes of a setting. */
  public enum Kind {
    /** It means what it means in OpenTSDB. */
    APPLIES,
    /** It has another effect than it may seem to. */
    DIFFERS,
    /** It is a setting of OpenTSDB that is not needed here, or not supported. */
    NO_EFFECT,
    /** No such setting is known, here or in OpenTSDB. */
    UNKNOWN,
    /** Its value is invalid: no command runs with it. */
    INVALID
  }

  /**
   * One setting.
   *
   * @param line where it is in the file; {@link #NO_LINE} if it is not there
   * @param value as in the file, or the default
   * @param note why, or how; may be empty
   */
  public record Finding(Kind kind, int line, String key, String value, String note) {}

  private SettingsCheck() {}

  /**
   * Checks a file.
   *
   * @param strict whether the defaults are OpenTSDB's
   * @return the settings in the order of the file, then those of OpenTSDB that are not in it and
   *     have another default here
   * @throws CommandException if the file can't be read
   */
  public static List<Finding> of(Path file, boolean strict) {
    List<SettingsFile.Entry> entries = SettingsFile.read(file);
    Map<String, Integer> last = new HashMap<>();
    entries.forEach(entry -> last.put(entry.key(), entry.line()));
    List<Finding> findings = new ArrayList<>();
    for (SettingsFile.Entry entry : entries) {
      int counts = last.getOrDefault(entry.key(), entry.line());
      findings.add(
          counts == entry.line()
              ? finding(entry)
              : found(Kind.NO_EFFECT, entry, "it is set again in line " + counts));
    }
    if (!strict) {
      Settings.all().stream()
          .filter(setting -> setting.key().startsWith(OPENTSDB) && !last.containsKey(setting.key()))
          .filter(setting -> !setting.defaultValue().equals(setting.openTsdbDefault()))
          .forEach(setting -> findings.add(differing(setting)));
    }
    return findings;
  }

  private static Finding differing(Setting<?> setting) {
    return new Finding(
        Kind.DIFFERS,
        NO_LINE,
        setting.key(),
        setting.defaultValue(),
        "it is not in the file, and OpenTSDB's default is " + setting.openTsdbDefault());
  }

  private static Finding finding(SettingsFile.Entry entry) {
    Optional<Setting<?>> known = Settings.find(entry.key());
    return known.isPresent() ? known(entry, known.get()) : unknown(entry);
  }

  private static Finding known(SettingsFile.Entry entry, Setting<?> setting) {
    try {
      TsdbOptions unused = TsdbOptions.defaults().with(setting, entry.value());
    } catch (IllegalArgumentException e) {
      return found(Kind.INVALID, entry, "must be " + setting.values().replace("`", ""));
    }
    return setting.isMisspelt(entry.value())
        ? found(Kind.DIFFERS, entry, "it means false: only true, 1 and yes mean true")
        : found(Kind.APPLIES, entry, "");
  }

  private static Finding unknown(SettingsFile.Entry entry) {
    String key = entry.key();
    return switch (OpenTsdbKeys.kindOf(key)) {
      case STORE ->
          found(Kind.APPLIES, entry, "it names the store, unless --store or hourstone.store does");
      case DAEMON ->
          found(
              Kind.NO_EFFECT,
              entry,
              "it is for OpenTSDB's network or plugins; nothing stored or returned depends on it");
      case WITHOUT_EFFECT ->
          OpenTsdbKeys.isDefault(key, entry.value())
              ? found(Kind.APPLIES, entry, "it is always so")
              : found(Kind.NO_EFFECT, entry, "it is not supported");
      case UNKNOWN -> {
        String name = Settings.byFormerKey().get(key);
        String nearest = nearest(key);
        yield found(
            Kind.UNKNOWN,
            entry,
            name != null
                ? "it is ignored; its name is " + name + " now"
                : "it is ignored" + (nearest == null ? "" : "; did you mean " + nearest + "?"));
      }
    };
  }

  private static Finding found(Kind kind, SettingsFile.Entry entry, String note) {
    return new Finding(kind, entry.line(), entry.key(), entry.value(), note);
  }

  /** The known key that differs least from one that is unknown; null if all differ much. */
  static @Nullable String nearest(String key) {
    return Stream.concat(
            Settings.all().stream().map(Setting::key), OpenTsdbKeys.withoutEffect().stream())
        .min(Comparator.comparingInt(known -> distance(key, known)))
        .filter(known -> distance(key, known) <= key.length() / FAR)
        .orElse(null);
  }

  /** How many characters must be inserted, removed or replaced. */
  private static int distance(String one, String other) {
    int[] before = new int[other.length() + 1];
    for (int j = 0; j < before.length; j++) {
      before[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] now = new int[before.length];
      now[0] = i;
      for (int j = 1; j < now.length; j++) {
        int replaced = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        now[j] = Math.min(replaced, 1 + Math.min(before[j], now[j - 1]));
      }
      before = now;
    }
    return before[other.length()];
  }
}
