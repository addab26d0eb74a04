package org.hourstone.tsd;

import picocli.CommandLine.Command;

/** {@code search}. */
@Command(
    name = "search",
    synopsisSubcommandLabel = "lookup",
    description = "Finds out which series there are.",
    footer = {"  hourstone search lookup sys.cpu.user host=web01"})
final class SearchCommand {}
