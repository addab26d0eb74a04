package org.hourstone;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The settings of a class, in the order in which it declares them. */
final class SettingList {
  private final List<Setting<?>> settings = new ArrayList<>();

  /** Begins a declaration. */
  <T> Setting.Draft<T> setting(Setting.Section section, String key, ValueType<T> type) {
    return new Setting.Draft<>(settings::add, section, key, type);
  }

  Stream<Setting<?>> stream() {
    return settings.stream();
  }
}
