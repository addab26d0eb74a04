package org.hourstone.tsd.command;

import picocli.CommandLine.Command;

/** {@code index}: commands for the series index. */
@Command(
    name = "index",
    subcommands = {
      IndexRebuildCommand.class,
      IndexStatusCommand.class,
      IndexCardinalityCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    description = "Rebuilds the index of existing series, and shows its state.",
    footer = {"  hourstone index status", "  hourstone index rebuild"})
public final class IndexCommand {}
