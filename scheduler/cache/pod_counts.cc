// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/pod_counts.h"

#include <algorithm>

namespace berth::scheduler {
namespace {

// Number of unused topologies to retain: a plugin that only reads the domains (Domains) reads them
// again later.
constexpr size_t kIdleTopologies = 64;

// The parts of the limit: the lists of terms of pending pods take at most one of them, and counts
// beyond the limit are dropped until one of them is free, so that many are dropped at once.
constexpr size_t kPartsOfLimit = 8;

void MoveToEnd(AskedList& list, AskedList::iterator place) { list.splice(list.end(), list, place); }

// Drops the entries that only the list itself references.
template <class T>
void EraseUnused(std::vector<std::shared_ptr<T>>& list) {
  std::erase_if(list, [](const auto& each) { return each.use_count() == 1; });
}

}  // namespace

PodCounts::PodCounts(Vocabulary& words, const std::deque<NodeInfo>& nodes,
                     const NamespaceTable& namespaces, size_t limit)
    : words_(words),
      nodes_(nodes),
      namespaces_(namespaces),
      limit_(limit),
      terms_(words, [this](const std::string& key) { return TopologyOf(key); }) {}

void PodCounts::Add(const PodInfo& pod, Slot slot, CountedPod& counted) {
  Tidy();
  PodClass& pod_class = ClassOf(pod);
  made_.classes.Join(pod_class, slot, pod.terminating(), counted);
  CountMember(pod_class, pod_class.members[counted.place], +1);
  counted.terms = terms_.Take(pod, made_.classes);
  if (counted.terms != nullptr) AffinityTerms::Count(*counted.terms, slot, +1);
}

void PodCounts::Remove(CountedPod& counted) {
  Tidy();
  const PodClass::Member member = counted.pod_class->members[counted.place];
  CountMember(*counted.pod_class, member, -1);
  made_.classes.Leave(counted);
  if (counted.terms == nullptr) return;
  AffinityTerms::Count(*counted.terms, member.slot, -1);
  const size_t terms = terms_.size();
  terms_.Release(*std::exchange(counted.terms, nullptr));
  made_.maybe_idle += terms - terms_.size();
}

void PodCounts::CountMember(const PodClass& pod_class, const PodClass::Member& member, int by) {
  for (CountColumn* column : pod_class.columns) {
    if (!column->Change(member, by)) has_unasked_ = true;
  }
}

void PodCounts::OnNode(Slot slot, std::span<const CountedPod* const> pods) {
  Tidy();
  const NodeInfo& info = nodes_[slot];
  for (const auto& [key, value] : info.labels) {
    const auto found = made_.topologies.find(key);
    if (found == made_.topologies.end() || found->second->nodes() > 0) continue;
    made_.with_nodes.push_back(found->second.get());
  }
  for (Topology* topology : made_.with_nodes) {
    const Domain from = topology->Move(info);
    const Domain to = topology->OfSlots()[slot];
    if (from == to) continue;
    for (const CountedPod* pod : pods) AffinityTerms::Move(*pod->terms, *topology, from, to);
  }
  std::erase_if(made_.with_nodes, [](const Topology* each) { return each->nodes() == 0; });
  for (const auto& members : made_.members) members->Update(info);
  for (const auto& counted : made_.counted_nodes) counted->Update(slot);
}

void PodCounts::OnNamespace(std::optional<Symbol> name) {
  if (!terms_.ReadsNamespaces() && made_.columns_reading_namespaces == 0) return;
  Tidy();
  const auto apply = [this](PodClass& each) {
    each.terms_version = 0;
    if (made_.columns_reading_namespaces > 0) RecountByNamespace(each);
  };
  if (name) return made_.classes.VisitNamespace(*name, apply);
  made_.classes.Visit(nullptr, apply);
}

// Updates the columns of a class that read the labels of its namespace: removes its pods from those
// that no longer select it, and adds them to those that now do.
void PodCounts::RecountByNamespace(PodClass& pod_class) {
  const auto count = [this, &pod_class](CountColumn& column, int by) {
    for (const PodClass::Member& each : pod_class.members) {
      if (!column.Change(each, by)) has_unasked_ = true;
    }
  };
  const auto selects = [this, &pod_class](const CountColumn& column) {
    return AllMatch(column.matchers(), pod_class, namespaces_);
  };
  made_.classes.UnlistIf(pod_class, [&](CountColumn& column) {
    if (!column.reads_namespaces() || selects(column)) return false;
    count(column, -1);
    --column.classes;
    return true;
  });
  made_.by_label.VisitCandidates(pod_class.labels, [&](CountColumn& column) {
    if (!column.reads_namespaces() || !selects(column)) return;
    if (std::ranges::find(pod_class.columns, &column) != pod_class.columns.end()) return;
    made_.classes.List(pod_class, column);
    count(column, +1);
  });
  made_.grown = true;
}

void PodCounts::Resize(size_t slots) {
  made_.without_nodes.resize(slots, kNoDomain);
  for (Topology* topology : made_.with_nodes) topology->Resize(slots);
  for (const auto& members : made_.members) members->Resize(slots);
  for (const auto& counted : made_.counted_nodes) counted->Resize(slots);
  for (const auto& [key, column] : made_.columns) column->Resize(slots);
  for (Asked& each : made_.asked) Weigh(each);
  made_.grown = true;
}

PodClass& PodCounts::ClassOf(const PodInfo& pod) const {
  if (PodClass* known = made_.classes.Find(pod)) return *known;
  PodClass& made = made_.classes.Make(pod);
  ListColumns(made);
  return made;
}

void PodCounts::ListColumns(PodClass& pod_class) const {
  made_.by_label.VisitCandidates(pod_class.labels, [&](CountColumn& column) {
    if (AllMatch(column.matchers(), pod_class, namespaces_)) made_.classes.List(pod_class, column);
  });
  if (!pod_class.columns.empty()) made_.grown = true;
}

std::span<const uint32_t> PodCounts::BySlot(const PodQuery& query) const {
  return ColumnOf(query).BySlot();
}

CountColumn& PodCounts::ColumnOf(const PodQuery& query) const {
  const auto found = made_.columns.find(query.Key());
  CountColumn& column = found == made_.columns.end() ? MakeColumn(query) : *found->second;
  column.Asked();
  MoveToEnd(made_.asked, column.place);
  return column;
}

CountColumn& PodCounts::MakeColumn(const PodQuery& query) const {
  auto made = std::make_unique<CountColumn>(query, words_);
  CountColumn& column = *made;
  column.Resize(nodes_.size());
  column.required = made_.classes.Narrowest(column.matchers());
  made_.classes.Visit(column.required, [&](PodClass& each) {
    if (!AllMatch(column.matchers(), each, namespaces_)) return;
    made_.classes.List(each, column);
    for (const PodClass::Member& member : each.members) column.Change(member, +1);
  });
  made_.by_label.Add(column, column.required);
  if (column.reads_namespaces()) ++made_.columns_reading_namespaces;
  column.place = Append({.column = &column});
  made_.columns.emplace(query.Key(), std::move(made));
  return column;
}

const DomainCounts& PodCounts::ByDomain(const PodQuery& query, const std::string& topology_key,
                                        const FindSubset& subset) const {
  if (!subset) {  // counts that are kept need no more look-ups
    const auto found = made_.columns.find(query.Key());
    if (found != made_.columns.end()) {
      CountColumn& column = *found->second;
      if (DomainSums* sums = column.Find(topology_key, {})) return Used(column, *sums);
    }
  }
  const std::shared_ptr<Topology> topology = TopologyOf(topology_key);
  if (topology->nodes() == 0) return topology->no_counts();
  const SubsetQuery nodes = subset ? subset() : SubsetQuery();
  CountColumn& column = ColumnOf(query);
  DomainSums* sums = column.Find(topology_key, nodes.key);
  if (sums == nullptr) sums = &MakeSums(column, topology_key, nodes);
  return Used(column, *sums);
}

// Records a use of the sums and of their column.
const DomainSums& PodCounts::Used(CountColumn& column, DomainSums& sums) const {
  column.Asked();
  column.Asked(sums);
  MoveToEnd(made_.asked, column.place);
  // Before its column: for lack of memory the sums are dropped first, then the column.
  made_.asked.splice(column.place, made_.asked, sums.place);
  return sums;
}

DomainSums& PodCounts::MakeSums(CountColumn& column, const std::string& topology_key,
                                const SubsetQuery& subset) const {
  DomainSums& sums = column.Add(CountedNodesOf(topology_key, subset));
  sums.place = Append({.column = &column, .sums = &sums});
  return sums;
}

const TopologyDomains& PodCounts::Domains(const std::string& topology_key) const {
  return *TopologyOf(topology_key);
}

void PodCounts::VisitDomains(const PodQuery& query, const TopologyDomains& topology,
                             const std::function<void(Domain)>& visit) const {
  if (topology.nodes() == 0) return;
  const std::vector<PodMatcher> matchers = MatchersOf(query, words_);
  const std::span<const Domain> domains = topology.OfSlots();
  made_.classes.Visit(made_.classes.Narrowest(matchers), [&](const PodClass& each) {
    if (!AllMatch(matchers, each, namespaces_)) return;
    for (const PodClass::Member& member : each.members) {
      const Domain domain = domains[member.slot];
      if (domain != kNoDomain && query.Counts(member.terminating)) visit(domain);
    }
  });
}

std::shared_ptr<Topology> PodCounts::TopologyOf(const std::string& key) const {
  // The vocabulary holds the label keys of all nodes, so no node has a key that it does not hold.
  const Symbol symbol = words_.Find(key);
  const bool is_held = symbol != kNoSymbol || key.empty();
  if (is_held) {
    const auto found = made_.topologies.find(symbol);
    if (found != made_.topologies.end()) return found->second;
  }
  auto topology = std::make_shared<Topology>(key, words_, made_.without_nodes);
  if (is_held) {
    for (const NodeInfo& info : nodes_) {
      if (info.node != nullptr) topology->Move(info);
    }
  }
  if (topology->nodes() > 0) made_.with_nodes.push_back(topology.get());
  made_.topologies.emplace(topology->key_symbol(), topology);
  ++made_.maybe_idle;
  return topology;
}

std::shared_ptr<NodeMembers> PodCounts::MembersOf(const SubsetQuery& subset) const {
  for (const auto& members : made_.members) {
    if (members->key() == subset.key) return members;
  }
  auto members =
      std::make_shared<NodeMembers>(subset.key, subset.key.empty() ? nullptr : subset.make());
  members->Resize(nodes_.size());
  for (const NodeInfo& info : nodes_) {
    if (info.node != nullptr) members->Update(info);
  }
  return made_.members.emplace_back(std::move(members));
}

std::shared_ptr<CountedNodes> PodCounts::CountedNodesOf(const std::string& topology_key,
                                                        const SubsetQuery& subset) const {
  for (const auto& counted : made_.counted_nodes) {
    if (counted->Is(topology_key, subset.key)) return counted;
  }
  auto counted = std::make_shared<CountedNodes>(TopologyOf(topology_key), MembersOf(subset));
  counted->Resize(nodes_.size());
  for (const NodeInfo& info : nodes_) {
    if (info.node != nullptr) counted->Update(info.slot);
  }
  return made_.counted_nodes.emplace_back(std::move(counted));
}

std::span<const PlacedTerm> PodCounts::TermsMatching(const PodInfo& pod) const {
  PodClass& pod_class = ClassOf(pod);
  made_.classes.Keep(pod_class);
  const size_t before = pod_class.terms.capacity();
  const std::span<const PlacedTerm> terms = terms_.About(pod_class, namespaces_);
  made_.term_list_bytes += (pod_class.terms.capacity() - before) * sizeof(PlacedTerm);
  return terms;
}

bool PodCounts::Matches(const PodSelector& selector, const PodInfo& pod) const {
  return selector.Matches(pod, namespaces_.LabelsOrNone(pod.namespace_word()));
}

void PodCounts::Tidy() {
  const size_t kept_bytes = made_.classes.KeptBytes() + made_.term_list_bytes;
  if (made_.classes.HasManyKept() || kept_bytes > limit_ / kPartsOfLimit) DropKept();
  if (std::exchange(has_unasked_, false)) DropUnasked();
  if (std::exchange(made_.grown, false)) DropBeyondLimit();
  if (made_.maybe_idle > kIdleTopologies) DropIdleTopologies();
}

void PodCounts::DropKept() {
  made_.classes.DropKept();
  made_.term_list_bytes = 0;
}

// Reaches the sums of a column before the column, which was used with each of them.
void PodCounts::DropUnasked() {
  std::vector<CountColumn*> unasked;
  for (auto next = made_.asked.begin(); next != made_.asked.end();) {
    const Asked each = *next++;
    if (each.sums != nullptr) {
      if (!each.sums->upkeep.IsWorthIt()) DropSums(*each.sums);
    } else if (!each.column->IsWorthIt()) {
      Unask(*each.column, unasked);
    }
  }
  DropColumns(unasked);
  DropUnused();
}

void PodCounts::DropBeyondLimit() {
  if (bytes() <= limit_) return;
  DropUnused();
  const size_t enough = limit_ - limit_ / kPartsOfLimit;
  size_t others = SharedBytes() + ListBytes();
  std::vector<CountColumn*> unasked;
  while (others + made_.asked_bytes > enough && !made_.asked.empty()) {
    const Asked first = made_.asked.front();
    others -= first.sums != nullptr ? DropSums(*first.sums) : Unask(*first.column, unasked);
  }
  DropColumns(unasked);
  DropUnused();
}

// Returns the bytes of the shared data that only these sums used.
size_t PodCounts::DropSums(DomainSums& sums) {
  const CountedNodes& nodes = sums.nodes();
  const size_t freed = nodes.attached() == 1 ? nodes.bytes() : 0;
  CountColumn& column = *sums.place->column;
  made_.asked_bytes -= sums.place->bytes;
  made_.asked.erase(sums.place);
  column.Drop(sums);
  return freed;
}

// Takes a column and its sums off the list of counts and appends it to `unasked`, for DropColumns.
// Returns the bytes of shared data and lists that only it used.
size_t PodCounts::Unask(CountColumn& column, std::vector<CountColumn*>& unasked) {
  size_t freed = column.classes * PodClasses::kBytesPerListed;
  while (!column.sums().empty()) freed += DropSums(*column.sums().back());
  made_.asked_bytes -= column.place->bytes;
  made_.asked.erase(column.place);
  column.dropped = true;
  unasked.push_back(&column);
  return freed;
}

void PodCounts::DropColumns(std::span<CountColumn* const> unasked) {
  if (unasked.empty()) return;
  made_.classes.UnlistDropped(unasked);
  for (CountColumn* column : unasked) {
    made_.by_label.Remove(*column, column->required);
    if (column->reads_namespaces()) --made_.columns_reading_namespaces;
    made_.columns.erase(made_.columns.find(column->query().Key()));
  }
}

// Drops the data that only the dropped counts used.
void PodCounts::DropUnused() {
  EraseUnused(made_.counted_nodes);
  EraseUnused(made_.members);
}

void PodCounts::DropIdleTopologies() {
  made_.maybe_idle = 0;
  const auto is_idle = [](const auto& each) { return each.second.use_count() == 1; };
  std::erase_if(made_.with_nodes, [&](const Topology* each) {
    return is_idle(*made_.topologies.find(each->key_symbol()));
  });
  std::erase_if(made_.topologies, is_idle);
}

AskedList::iterator PodCounts::Append(Asked asked) const {
  Weigh(asked);
  made_.grown = true;
  return made_.asked.insert(made_.asked.end(), asked);
}

void PodCounts::Weigh(Asked& asked) const {
  made_.asked_bytes -= asked.bytes;
  asked.bytes = asked.sums == nullptr ? asked.column->bytes() : asked.sums->bytes();
  made_.asked_bytes += asked.bytes;
}

size_t PodCounts::SharedBytes() const {
  size_t bytes = 0;
  for (const auto& members : made_.members) bytes += members->bytes();
  for (const auto& counted : made_.counted_nodes) bytes += counted->bytes();
  return bytes;
}

size_t PodCounts::ListBytes() const {
  return made_.classes.Listed() * PodClasses::kBytesPerListed + made_.term_list_bytes;
}

size_t PodCounts::bytes() const { return SharedBytes() + ListBytes() + made_.asked_bytes; }

}  // namespace berth::scheduler
