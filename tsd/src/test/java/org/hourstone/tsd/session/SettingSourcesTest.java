package org.hourstone.tsd.session;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hourstone.DaemonSettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.tsd.CommandRun;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingSourcesTest {
  @TempDir Path directory;

  private final List<String> warnings = new ArrayList<>();

  @Test
  void withoutAnythingGivenTheDefaultsAreOurs() {
    TsdbOptions options = load(false, null);

    assertThat(options.get(Settings.AUTO_CREATE_METRICS)).isTrue();
    assertThat(warnings).isEmpty();
  }

  @Test
  void strictModeTakesEveryDefaultOfOpenTsdb() {
    TsdbOptions options = load(true, null);

    TsdbOptions strict = TsdbOptions.openTsdbDefaults();
    for (Setting<?> setting : Settings.all()) {
      assertThat(options.get(setting)).as(setting.key()).isEqualTo(strict.get(setting));
    }
  }

  @Test
  void theCommandLineGoesBeforeTheFileAndTheFileBeforeTheDefaults() throws IOException {
    Path file = file("tsd.storage.max_tags = 16 ", "tsd.storage.salt.width: 1");

    TsdbOptions options = load(true, file, "tsd.storage.max_tags=20");

    assertThat(options.get(Settings.MAX_TAGS)).isEqualTo(20);
    assertThat(options.get(Settings.SALT_WIDTH)).isEqualTo(1);
    assertThat(options.get(Settings.AUTO_CREATE_METRICS)).isFalse();
    assertThat(warnings).isEmpty();
  }

  @Test
  void theLastOfTwoSettingsOfOneKeyCountsAndAValueMayHaveAnEqualsSign() {
    TsdbOptions options =
        load(
            false, null, "tsd.core.tag.allow_specialchars=:", "tsd.core.tag.allow_specialchars=+=");

    assertThat(options.get(Settings.ALLOW_SPECIALCHARS)).isEqualTo("+=");
  }

  @Test
  void anInvalidValueIsNoErrorIfAnotherSourceTakesPrecedence() throws IOException {
    TsdbOptions options =
        load(false, file("tsd.storage.max_tags = many"), "tsd.storage.max_tags=20");

    assertThat(options.get(Settings.MAX_TAGS)).isEqualTo(20);
  }

  @Test
  void anUnknownKeyWarnsWithItsOrigin() throws IOException {
    Path file = file("tsd.storage.max_tag = 16", "nonsense = 1");

    load(false, file, "tsd.core.auto_create_metric=true");

    assertThat(warnings)
        .containsExactly(
            file + ":2: unknown setting nonsense is ignored",
            file + ":1: unknown setting tsd.storage.max_tag is ignored",
            "--set: unknown setting tsd.core.auto_create_metric is ignored");
  }

  @Test
  void anInvalidValueIsNamedWithItsLine() throws IOException {
    Path file = file("# comment", "tsd.storage.max_tags = many");
    assertThatThrownBy(() -> load(false, file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(file + ":2: tsd.storage.max_tags=many: must be a number of tags, 1 or more");
    Path twice = file("tsd.storage.max_tags = many", "tsd.storage.max_tags = 9");
    assertThat(load(false, twice).get(Settings.MAX_TAGS)).isEqualTo(9);
  }

  @Test
  void aFormerKeyWarnsWithTheNewOne() {
    SettingSources.load(
        false,
        null,
        Map.of("HOURSTONE_WRITE_HELD_POINTS", "1"),
        List.of("hourstone.query.damaged_rows=skip", "hourstone.query.early_doubles=true"),
        warnings::add);

    assertThat(warnings)
        .containsExactly(
            "environment: unknown setting hourstone.write.held_points is ignored; its name is"
                + " hourstone.write.buffered_points now",
            "--set: unknown setting hourstone.query.damaged_rows is ignored; its name is"
                + " hourstone.query.corrupt_rows now",
            "--set: unknown setting hourstone.query.early_doubles is ignored; its name is"
                + " hourstone.strict=doubles now");
  }

  /** It is false, as in OpenTSDB, which does not warn. */
  @Test
  void aMisspeltTruthValueIsReported() throws IOException {
    String create = Settings.AUTO_CREATE_METRICS.key();
    String appends = Settings.ENABLE_APPENDS.key();
    Path file = file(create + " = maybe", Settings.HEAD.key() + " = Auto", appends + " = ture");

    TsdbOptions options = load(false, file, appends + "= YES ");

    assertThat(options.get(Settings.AUTO_CREATE_METRICS)).isFalse();
    assertThat(warnings)
        .containsExactlyInAnyOrder(
            file + ":1: " + create + "=maybe means false: only true, 1 and yes mean true",
            file
                + ":2: hourstone.head=Auto means false: only true, 1 and yes mean true,"
                + " and auto leaves the choice to Hourstone");
    warnings.clear();
    for (String clear : List.of("true", "1", "Yes", "false", "0", "no", "off", "")) {
      load(false, null, create + "=" + clear, Settings.HEAD.key() + "=auto");
    }
    load(true, file);
    assertThat(warnings).isEmpty();
  }

  @Test
  void aKeyOfOpenTsdbWithoutEffectIsReported() {
    load(false, null, "tsd.search.enable=true");

    assertThat(warnings).containsExactly("--set: tsd.search.enable has no effect in this version");
  }

  @Test
  void severalSuchKeysAreOneLine() throws IOException {
    Path file =
        file(
            "tsd.search.enable = true",
            "tsd.search.plugin = x",
            "tsd.startup.enable = true",
            "tsd.startup.plugin = x",
            "tsd.uid.lru.enable = true",
            "tsd.uidfilter.enable = true");

    load(false, file);

    assertThat(warnings)
        .containsExactly(
            file
                + ": 6 settings have no effect in this version: tsd.search.enable,"
                + " tsd.search.plugin, tsd.startup.enable, tsd.startup.plugin, tsd.uid.lru.enable"
                + " and 1 more");
  }

  @Test
  void theQuorumOfZooKeeperNamesTheStore() throws IOException {
    Path file = file("tsd.storage.hbase.zk_quorum = zk1, zk2:2181");

    assertThat(store(file)).isEqualTo("hbase://zk1,zk2:2181/hbase");
    assertThat(store(file, "tsd.storage.hbase.zk_basedir=/other"))
        .isEqualTo("hbase://zk1,zk2:2181/other");
    assertThat(store(null, "tsd.storage.hbase.zk_basedir=/other")).isNull();
    assertThat(warnings).isEmpty();
    CommandRun opened = CommandRun.of("--config", file.toString(), "--store", "memory:", "cells");
    assertThat(opened).isEqualTo(new CommandRun(0, "", ""));
    CommandRun unknown = CommandRun.of("cells", "--zkquorum=no such", "--zkbasedir=?x");
    assertThat(unknown.errLines().get(0))
        .isEqualTo("hourstone: the store is hbase://nosuch?x, by tsd.storage.hbase.zk_quorum");
  }

  private @Nullable String store(@Nullable Path file, String... sets) {
    return SettingSources.load(false, file, Map.of(), List.of(sets), warnings::add).store();
  }

  @Test
  void keysThatWouldHideSomethingAreNot() throws IOException {
    Path file =
        file(
            "tsd.core.enable_ui = false",
            "tsd.core.enable_api = false",
            "tsd.core.authentication.plugin = x",
            "tsd.core.authorization.enable_authorization = true");

    load(false, file);

    assertThat(warnings)
        .containsExactly(
            file
                + ": 4 settings have no effect in this version: tsd.core.authentication.plugin,"
                + " tsd.core.authorization.enable_authorization, tsd.core.enable_api,"
                + " tsd.core.enable_ui");
  }

  @Test
  void keysAboutTheDaemonAreSilent() throws IOException {
    Path file =
        file(
            "tsd.network.port = 4242",
            "tsd.http.staticroot = /usr/share/opentsdb/static",
            "tsd.http.cachedir = /tmp/opentsdb",
            "tsd.mode = rw",
            "tsd.rpc.plugins =",
            "tsd.core.enable_ui = true");

    load(false, file);

    assertThat(warnings).isEmpty();
  }

  @Test
  void noKeyIsBothOursAndWithoutEffect() {
    for (Setting<?> key : Settings.all()) {
      assertThat(OpenTsdbKeys.kindOf(key.key())).as(key.key()).isEqualTo(OpenTsdbKeys.Kind.UNKNOWN);
    }
  }

  @Test
  void aFileThatCannotBeReadIsAnError() throws IOException {
    Path missing = directory.resolve("missing.conf");

    assertThatThrownBy(() -> load(false, missing))
        .isInstanceOf(CommandException.class)
        .hasMessage("settings " + missing + ": no such file");
    assertThatThrownBy(() -> load(false, directory))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("settings " + directory);
    Path malformed = file("key = \\u12");
    assertThatThrownBy(() -> load(false, malformed))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith(malformed + ":1: ");
  }

  @Test
  void aSettingWithoutAValueIsAUsageError() {
    CommandRun run = CommandRun.of("--set", "tsd.storage.max_tags", "version");
    CommandRun used =
        CommandRun.of("--store", CommandRun.newStore(), "--set", "oops", "mkmetric", "m");

    assertThat(run.exitCode()).as("settings that are not read").isZero();
    assertThat(used.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(used.err()).contains("--set oops: must be KEY=VALUE");
  }

  @Test
  void aWrongValueNamesItsKey() {
    CommandRun run =
        CommandRun.of(
            "--store", CommandRun.newStore(), "--set", "tsd.storage.max_tags=x", "mkmetric", "m");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errLines())
        .containsExactly("hourstone: tsd.storage.max_tags=x: must be a number of tags, 1 or more");
  }

  @Test
  void theEnvironmentCountsMoreThanTheFileAndLessThanTheCommand() throws IOException {
    Path file =
        file(
            "tsd.network.port = 1", "tsd.storage.max_tags = 1", "tsd.storage.uid.width.metric = 1");
    Map<String, String> environment =
        Map.of(
            "TSD_NETWORK_PORT", "2",
            "TSD_STORAGE_MAX_TAGS", " 2 ",
            "HOURSTONE_HTTP_THREADS", "2",
            "HOURSTONE_OPTS", "-Xmx1g",
            "HOURSTONE_TOKEN", "secret",
            "HOURSTONE_CERTIFICATE", "daemon.pem",
            "HOURSTONE_NO_SUCH", "1",
            "TSD_STORAGE_HBASE_ZK_QUORUM", "zk",
            "TSD_PORT", "tcp://10.0.0.1:4242",
            "PATH", "/bin");

    SettingSources.Loaded loaded =
        SettingSources.load(
            false, file, environment, List.of("tsd.storage.max_tags=3"), warnings::add);

    TsdbOptions options = loaded.options();
    assertThat(options.get(DaemonSettings.PORT)).isEqualTo(2);
    assertThat(options.get(Settings.MAX_TAGS)).isEqualTo(3);
    assertThat(options.get(DaemonSettings.HTTP_THREADS)).isEqualTo(2);
    assertThat(options.get(Settings.UID_WIDTH_METRIC)).isEqualTo(1);
    assertThat(loaded.store()).isEqualTo("hbase://zk/hbase");
    assertThat(warnings)
        .containsExactly("environment: unknown setting HOURSTONE_NO_SUCH is ignored");
  }

  /** Also those that are no settings, but read by the launchers or the command line. */
  @Test
  void noVariableThatIsReadIsUnknown() throws IOException {
    Pattern name = Pattern.compile("HOURSTONE_[A-Z]+(_[A-Z]+)*");
    Map<String, String> environment = new TreeMap<>();
    for (String sources : List.of("../hourstone", "../dist/src/main", "src/main")) {
      try (Stream<Path> files = Files.walk(Path.of(sources))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          name.matcher(Files.readString(file, ISO_8859_1))
              .results()
              .forEach(found -> environment.put(found.group(), "x"));
        }
      }
    }
    assertThat(environment)
        .containsKeys(
            "HOURSTONE_CLASSPATH", "HOURSTONE_CONFIG", "HOURSTONE_OPTS", "HOURSTONE_TOKEN");

    SettingSources.load(false, null, environment, List.of(), warnings::add);

    assertThat(warnings).isEmpty();
  }

  private TsdbOptions load(boolean strict, @Nullable Path file, String... sets) {
    return SettingSources.load(strict, file, Map.of(), List.of(sets), warnings::add).options();
  }

  private Path file(String... lines) throws IOException {
    return Files.write(directory.resolve("opentsdb.conf"), List.of(lines));
  }
}
