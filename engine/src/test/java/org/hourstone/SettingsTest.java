package org.hourstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private final TsdbOptions options = TsdbOptions.defaults();

  private <T> T parsed(Setting<T> setting, String text) {
    return options.with(setting, text).get(setting);
  }

  @Test
  void noTwoSettingsShareAKey() {
    assertThat(Settings.all())
        .allSatisfy(setting -> assertThat(Settings.find(setting.key())).contains(setting));
    assertThat(Settings.find("tsd.storage.max_tag")).isEmpty();
    assertThat(Settings.byFormerKey().keySet())
        .allSatisfy(key -> assertThat(Settings.find(key)).isEmpty());
  }

  @Test
  void eachModeHasItsDefaults() {
    TsdbOptions strict = TsdbOptions.openTsdbDefaults();

    assertThat(options.get(QuerySettings.FIX_DUPLICATES)).isTrue();
    assertThat(strict.get(QuerySettings.FIX_DUPLICATES)).isFalse();
    assertThat(options.get(Settings.FLUSH_INTERVAL)).isEmpty();
    assertThat(strict.get(Settings.FLUSH_INTERVAL)).contains(Duration.ZERO);
  }

  @Test
  void aValueHasTheTypeOfItsSetting() {
    assertThat(parsed(Settings.SALT_WIDTH, " 8 ")).isEqualTo(8);
    assertThat(parsed(QuerySettings.QUERY_MAX_BYTES, "5000000000")).isEqualTo(5_000_000_000L);
    assertThat(parsed(QuerySettings.QUERY_TIMEOUT, "1500")).isEqualTo(Duration.ofMillis(1500));
    assertThat(parsed(Settings.COMPACTION_QUIET, "90")).isEqualTo(Duration.ofSeconds(90));
    assertThat(parsed(QuerySettings.TIMEZONE, "Europe/Berlin"))
        .contains(ZoneId.of("Europe/Berlin"));
    assertThat(parsed(QuerySettings.TIMEZONE, "")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "true", "yes", "TRUE", " Yes "})
  void aBooleanIsTrueInSeveralForms(String text) {
    assertThat(parsed(Settings.META_TRACKING, text)).isTrue();
    assertThat(parsed(Settings.INDEX_ENABLE, text)).contains(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "false", "no", "on", ""})
  void anyOtherTextIsFalse(String text) {
    assertThat(parsed(Settings.META_TRACKING, text)).isFalse();
    assertThat(parsed(Settings.INDEX_ENABLE, text)).contains(false);
  }

  @Test
  void autoIsAValueWhereItHasAMeaning() {
    TsdbOptions set = options.with(MemorySettings.UID_CACHE, "17");

    assertThat(set.get(MemorySettings.UID_CACHE)).contains(17);
    assertThat(set.with(MemorySettings.UID_CACHE, "auto").get(MemorySettings.UID_CACHE)).isEmpty();
    assertThatThrownBy(() -> options.with(MemorySettings.WRITE_THREADS, "auto"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tsd.storage.max_tags | x | a number of tags, 1 or more",
        "tsd.storage.max_tags | 0 | a number of tags, 1 or more",
        "tsd.storage.uid.width.metric | 9 | a number of bytes, 1 to 8",
        "tsd.storage.salt.width | -1 | a number of bytes, 0 to 8",
        "tsd.query.timeout | 1s | a number of milliseconds, 0 or more",
        "hourstone.write.threads | 4294967296 | a number of threads, 1 or more",
        "hourstone.index.memory_bytes | none | a number of bytes, 1 or more, or auto",
        "hourstone.write.close_seconds | 0 | a number of seconds, 1 or more",
        "hourstone.query.corrupt_rows | skips | fail or skip",
        "tsd.core.timezone | Mars | a time zone, such as Europe/Berlin; empty for the system's",
      })
  void anInvalidValueIsRefusedAtOnceWithItsKey(String key, String value, String expected) {
    Setting<?> setting = Settings.find(key).orElseThrow();

    assertThatThrownBy(() -> options.with(setting, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("%s=%s: must be %s", key, value, expected);
  }
}
