package org.hourstone.testing.schedule;

import java.util.Arrays;
import java.util.List;
import org.hourstone.testing.schedule.NamesWorld.Act;
import org.hourstone.uid.UidTable;

/** Something that an actor does with names. */
interface NameTask {
  void run(NamesWorld world, SimulatedProcess process, UidTable table);

  static NameTask assign(String name) {
    return (world, process, table) ->
        world.lookUp(
            process,
            "assign " + name,
            Act.ASSIGN,
            name,
            () -> table.uidForWriting(NamesWorld.KIND, name));
  }

  /** As {@link #assign}, for several names with one call. */
  static NameTask assignAll(String... names) {
    return (world, process, table) -> world.assign(process, List.of(names));
  }

  static NameTask find(String name) {
    return (world, process, table) ->
        world.lookUp(process, "find " + name, null, name, () -> table.find(NamesWorld.KIND, name));
  }

  static NameTask name(int uid) {
    byte[] bytes = {(byte) uid};
    return (world, process, table) ->
        world.perform(
            process, "name of " + uid, null, "", "", by -> table.name(NamesWorld.KIND, bytes));
  }

  /** As {@link #name}, with one call for several. */
  static NameTask names(int... uids) {
    List<byte[]> bytes = Arrays.stream(uids).mapToObj(uid -> new byte[] {(byte) uid}).toList();
    return (world, process, table) ->
        world.perform(
            process,
            "names of " + Arrays.toString(uids),
            null,
            "",
            "",
            by -> table.names(NamesWorld.KIND, bytes));
  }

  static NameTask rename(String from, String to) {
    return (world, process, table) ->
        world.perform(
            process,
            "rename " + from + " to " + to,
            Act.RENAME,
            from,
            to,
            by -> table.rename(NamesWorld.KIND, from, to));
  }

  static NameTask delete(String name) {
    return (world, process, table) ->
        world.perform(
            process,
            "delete " + name,
            Act.DELETE,
            name,
            "",
            by -> table.delete(NamesWorld.KIND, name));
  }
}
