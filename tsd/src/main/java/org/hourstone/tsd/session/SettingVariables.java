package org.hourstone.tsd.session;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.Setting;
import org.hourstone.Settings;

/**
 * The environment variables for settings: {@code TSD_NETWORK_PORT} for {@code tsd.network.port}. No
 * two settings have the same variable.
 */
final class SettingVariables {
  /** Names the file of settings. */
  static final String CONFIG = "HOURSTONE_CONFIG";

  private static final String OURS = "HOURSTONE_";

  /** The variables of the launcher, and of commands that talk to a daemon. */
  private static final Set<String> OTHERS =
      Set.of(
          OURS + "OPTS", OURS + "CLASSPATH", CONFIG, DaemonClient.TOKEN, DaemonClient.CERTIFICATE);

  private static final Map<String, String> KEYS =
      Stream.of(
              Settings.all().stream().map(Setting::key),
              Settings.byFormerKey().keySet().stream(),
              Stream.of(OpenTsdbKeys.ZK_QUORUM, OpenTsdbKeys.ZK_BASEDIR))
          .flatMap(Function.identity())
          .collect(Collectors.toUnmodifiableMap(SettingVariables::name, key -> key));

  private SettingVariables() {}

  /** The variable for a setting. */
  static String name(String key) {
    return key.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  /**
   * The settings in an environment: the key of each setting by its variable, in order. A variable
   * with Hourstone's prefix that matches no setting is its own key, which is unknown; all other
   * variables are omitted.
   */
  static Map<String, String> keys(Map<String, String> environment) {
    Map<String, String> keys = new TreeMap<>();
    for (String variable : environment.keySet()) {
      String key = KEYS.get(variable);
      if (key != null) {
        keys.put(variable, key);
      } else if (variable.startsWith(OURS) && !OTHERS.contains(variable)) {
        keys.put(variable, variable);
      }
    }
    return keys;
  }
}
