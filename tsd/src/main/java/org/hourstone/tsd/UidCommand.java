package org.hourstone.tsd;

import picocli.CommandLine.Command;

/** {@code uid}, which only has commands of its own. */
@Command(
    name = "uid",
    description = {
      "Looks after the names of metrics, tag keys and tag values, and the UIDs they are stored as.",
      "",
      "KIND is metrics, tagk or tagv."
    },
    footer = {
      "  hourstone uid assign metrics sys.cpu.user sys.cpu.system",
      "  hourstone uid grep tagk '^h'",
      "  hourstone uid rename metrics sys.cpu.usr sys.cpu.user",
      "  hourstone uid delete tagv web01"
    })
final class UidCommand {}
