/** Invented names, enough of them that a search has something to find: 12 games, 420 sets, 30,000 subjects. */

const games = [
  "Runes of Avarra",
  "Aetherbound",
  "Wardens of Orr",
  "Baseball",
  "Basketball",
  "Football",
  "Starfall Duel",
  "Hockey",
  "Clockwork Arena",
  "Soccer",
  "Mythline",
  "Paper Kaiju",
];
const places = (
  "Storm Ember Glass Hollow Northern Sable Silver Crimson Verdant Frozen Sunken Gilded Iron Ashen Lunar " +
  "Radiant Broken Silent Thorned Wild Azure Burning Distant Elder Fallen"
).split(" ");
const things = (
  "Harbour Coast Tides Crown Reach Vale Citadel Expanse Garden Frontier Archive Dominion Passage Rift " +
  "Summit Bazaar Lantern"
).split(" ");
const firsts = (
  "Charged Tidewing Glass Hollow Ember Sable Thorn Lantern Mira Jonas Dax Orin Selene Brass Cinder Drift " +
  "Echo Frost Gale Harrow Ivory Jade Kestrel Lumen Moss Night Onyx Prism Quartz River Slate Tempest Umber " +
  "Velvet Willow Zephyr Amber Bramble Copper Dusk Elder Feral Granite Hazel Indigo Juniper Keen Laurel " +
  "Marble Nimble Opal Pale Quiet Russet Storm Tawny Ashen Bright Crimson Dire Emerald Fleet Golden Hidden Iron Jolly " +
  "Kindled Lost Mirror Noble"
).split(" ");
const seconds = (
  "Serpent Drake Oracle Stag Warden Knight Witch Fox Holt Pike Renner Vale Golem Sprite Hydra Falcon " +
  "Titan Wraith Chimera Griffin Leviathan Basilisk Phoenix Sentinel Archer Herald Marauder Paladin Ranger " +
  "Sorcerer Templar Nomad Corsair Monk Druid Bard Alchemist Gladiator Shaman Valkyrie Colossus Dryad Imp " +
  "Juggernaut Kraken Lich Manticore Naga Ogre Pegasus Roc Satyr Treant Unicorn Viper Wyvern Yeti Behemoth " +
  "Cyclops Djinn Elemental Faun Gargoyle Harpy Minotaur Nymph Revenant Sphinx Salamander Thunderbird " +
  "Mercer Calloway Brandt Okafor Lindqvist Moreau Tanaka Whitlock Abernathy Castellan"
).split(" ");

const maxSets = 420;
/** Players have names of their own, most of which no other has: a dealer's words are many. */
const players = 24_000;
const syllables =
  "ba cor den fal gri hol jan kel lor mar nik or pet quin ras sol tor ul ven wes yar zim ash bren col dar".split(
    " ",
  );

export interface BenchNames {
  readonly games: readonly string[];
  readonly sets: readonly {
    game: string;
    name: string;
    code: string;
    year: number;
    total: number;
  }[];
  readonly subjects: readonly string[];
}

export function benchNames(): BenchNames {
  const sets = places
    .flatMap((place) => things.map((thing) => `${place} ${thing}`))
    .slice(0, maxSets)
    .map((name, index) => ({
      game: games[Math.floor((games.length * index * index) / (maxSets * maxSets))] ?? "",
      name,
      code: `${name.charAt(0)}${name.split(" ")[1]?.slice(0, 2).toUpperCase()}${index}`,
      year: 2025 - ((index * 7) % 34),
      total: 60 + ((index * 37) % 240),
    }));
  const creatures = firsts.flatMap((first) => seconds.map((second) => `${first} ${second}`));
  const named = Array.from(
    { length: players },
    (_, n) => `${nameOf(n * 31 + 7)} ${nameOf(n * 17 + 3)}son`,
  );
  // The common ones first: chance prefers the beginning.
  const subjects = [...creatures, ...named];
  return { games, sets, subjects };
}

/** Another name for another number below 17,576. */
function nameOf(n: number): string {
  const part = (power: number): string =>
    syllables[Math.floor(n / syllables.length ** power) % syllables.length] ?? "";
  const name = `${part(0)}${part(1)}${part(2)}`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
