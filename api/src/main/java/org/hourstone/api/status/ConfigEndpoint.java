package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.Locale;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;

/** {@code /api/config}: the settings in use, as text. Those that hold a secret are masked. */
public final class ConfigEndpoint implements Endpoint {
  private static final String SECRET = "PASS";
  private static final String MASK = "********";

  private final ApiOptions options;

  public ConfigEndpoint(ApiOptions options) {
    this.options = options;
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    ObjectNode settings = Json.object();
    Settings.all().stream()
        .sorted(Comparator.comparing(Setting::key))
        .forEach(
            setting -> {
              boolean secret = setting.key().toUpperCase(Locale.ROOT).contains(SECRET);
              settings.put(setting.key(), secret ? MASK : options.text(setting));
            });
    return ApiResponse.ok(settings);
  }
}
