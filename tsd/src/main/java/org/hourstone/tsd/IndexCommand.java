package org.hourstone.tsd;

import picocli.CommandLine.Command;

/** {@code index}: looks after the series index. */
@Command(
    name = "index",
    synopsisSubcommandLabel = "COMMAND",
    description = "Looks after the index of which series there are.",
    footer = {"  hourstone index status", "  hourstone index rebuild"})
final class IndexCommand {}
