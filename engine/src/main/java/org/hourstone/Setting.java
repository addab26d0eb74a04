package org.hourstone;

import java.time.DateTimeException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A setting: its key, its values, and its default in each mode. {@link Settings} declares them all.
 * Immutable.
 *
 * @param <T> the type of its value; if the value may be {@code auto}, an {@code Optional} that is
 *     empty for it
 */
public final class Setting<T> {
  /** The parts of the documentation. */
  enum Section {
    STRICT_MODE,
    FORMAT,
    TABLES,
    POINTS,
    METADATA,
    ROLLUPS,
    COMPACTION,
    RETENTION,
    QUERIES,
    INDEX,
    TREES,
    MEMORY,
    DAEMON
  }

  private final Section section;
  private final String key;
  private final ValueType<T> type;
  private final String openTsdbDefault;
  private final String defaultValue;
  private final String meaning;

  private Setting(Draft<T> draft, String meaning) {
    this.section = draft.section;
    this.key = draft.key;
    this.type = draft.type;
    this.openTsdbDefault = draft.openTsdbDefault;
    this.defaultValue = draft.defaultValue;
    this.meaning = meaning + draft.meaningOfAuto;
  }

  Section section() {
    return section;
  }

  /**
   * The setting's name, such as {@code tsd.storage.salt.width}. OpenTSDB's settings have its names,
   * Hourstone's own start with {@code hourstone.}.
   */
  public String key() {
    return key;
  }

  /** The values it may have, with their unit and range, in Markdown. */
  public String values() {
    return type.description();
  }

  /** Its value in strict mode unless set, as text: OpenTSDB's default. */
  public String openTsdbDefault() {
    return openTsdbDefault;
  }

  /** Its value unless set, other than in strict mode, as text. */
  public String defaultValue() {
    return defaultValue;
  }

  /** Its effect, in Markdown; links are relative to {@code docs/}. */
  public String meaning() {
    return meaning;
  }

  /**
   * The value that is written as a text.
   *
   * @throws IllegalArgumentException if it is not one of {@link #values}; the message has the key
   *     and the text
   */
  T parse(String text) {
    try {
      return type.parser().apply(text);
    } catch (ValueType.ExplainedException e) {
      throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IllegalArgumentException(
          key + "=" + text + ": must be " + type.description().replace("`", ""), e);
    }
  }

  /**
   * Whether the setting is {@code true} or {@code false}, and a text is neither: it means false
   * then, as in OpenTSDB.
   */
  public boolean isMisspelt(String text) {
    return type.isMisspelt(text);
  }

  /** Whether {@code auto} is a value, which lets Hourstone choose. */
  public boolean hasAuto() {
    return type.hasAuto();
  }

  @Override
  public String toString() {
    return key;
  }

  /** A setting that is being declared. Defaults are text as in a file of settings. */
  static final class Draft<T> {
    private final Consumer<Setting<?>> settings;
    private final Section section;
    private final String key;
    private final ValueType<T> type;
    private String openTsdbDefault = "";
    private String defaultValue = "";
    private String meaningOfAuto = "";

    Draft(Consumer<Setting<?>> settings, Section section, String key, ValueType<T> type) {
      this.settings = settings;
      this.section = section;
      this.key = key;
      this.type = type;
    }

    /** Its default in both modes, but for {@link #inStrictMode}. */
    Draft<T> byDefault(String value) {
      openTsdbDefault = value;
      defaultValue = value;
      return this;
    }

    /** Its default in strict mode. */
    Draft<T> inStrictMode(String value) {
      openTsdbDefault = value;
      return this;
    }

    /** Its value may also be "auto", which is the default. */
    Draft<Optional<T>> orAuto(String meaning) {
      Draft<Optional<T>> draft = new Draft<>(settings, section, key, type.orAuto());
      draft.meaningOfAuto = ". `auto`: " + meaning;
      return draft.byDefault("auto");
    }

    /** Ends the declaration. */
    Setting<T> means(String meaning) {
      Setting<T> setting = new Setting<>(this, meaning);
      settings.accept(setting);
      return setting;
    }
  }
}
