// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/pod_counts.h"

#include <algorithm>

namespace berth::scheduler {
namespace {

// Number of unused topologies to retain: a plugin that only reads the domains (Domains) reads them
// again later.
constexpr size_t kIdleTopologies = 64;

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
  terms_.Release(*std::exchange(counted.terms, nullptr));
}

void PodCounts::CountMember(const PodClass& pod_class, const PodClass::Member& member, int by) {
  for (CountColumn* column : pod_class.columns) {
    if (!column->Change(member, by)) has_unasked_ = true;
  }
}

void PodCounts::OnNode(Slot slot, std::span<const CountedPod* const> pods) {
  Tidy();
  const NodeInfo& info = nodes_[slot];
  for (const auto& [key, topology] : made_.topologies) {
    const Domain from = topology->Move(info);
    const Domain to = topology->OfSlots()[slot];
    if (from == to) continue;
    for (const CountedPod* pod : pods) AffinityTerms::Move(*pod->terms, *topology, from, to);
  }
  for (const auto& members : made_.members) members->Update(info);
  for (const auto& counted : made_.counted_nodes) counted->Update(slot);
}

void PodCounts::OnNamespace(std::optional<Symbol> name) {
  Tidy();
  terms_.OnNamespaces();
  made_.classes.Visit(nullptr, [&](PodClass& each) {
    if (!name || each.namespace_name.symbol() == *name) Recount(each);
  });
}

// Updates the columns of a class: removes its pods from columns that no longer select it, and adds
// them to the columns that now do.
void PodCounts::Recount(PodClass& pod_class) {
  for (const PodClass::Member& each : pod_class.members) CountMember(pod_class, each, -1);
  ListColumns(pod_class);
  for (const PodClass::Member& each : pod_class.members) CountMember(pod_class, each, +1);
}

void PodCounts::Resize(size_t slots) {
  for (const auto& [key, topology] : made_.topologies) topology->Resize(slots);
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
  pod_class.columns.clear();
  made_.by_label.VisitCandidates(pod_class.labels, [&](CountColumn& column) {
    if (AllMatch(column.matchers(), pod_class, namespaces_)) pod_class.columns.push_back(&column);
  });
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
    each.columns.push_back(&column);
    for (const PodClass::Member& member : each.members) column.Change(member, +1);
  });
  made_.by_label.Add(column, column.required);
  column.place = Append({.column = &column});
  made_.columns.emplace(query.Key(), std::move(made));
  return column;
}

const DomainCounts& PodCounts::ByDomain(const PodQuery& query, const std::string& topology_key,
                                        const SubsetQuery& subset) const {
  CountColumn& column = ColumnOf(query);
  DomainSums* sums = column.Find(topology_key, subset.key);
  if (sums == nullptr) sums = &MakeSums(column, topology_key, subset);
  column.Asked(*sums);
  // Before its column: for lack of memory the sums are dropped first, then the column.
  made_.asked.splice(column.place, made_.asked, sums->place);
  return *sums;
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

std::shared_ptr<Topology> PodCounts::TopologyOf(const std::string& key) const {
  if (const auto found = made_.topologies.find(key); found != made_.topologies.end()) {
    return found->second;
  }
  auto topology = std::make_shared<Topology>(key, words_);
  topology->Resize(nodes_.size());
  for (const NodeInfo& info : nodes_) {
    if (info.node != nullptr) topology->Move(info);
  }
  made_.topologies.emplace(key, topology);
  made_.grown = true;
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
  return terms_.About(pod_class, namespaces_);
}

bool PodCounts::Matches(const PodSelector& selector, const PodInfo& pod) const {
  return selector.Matches(pod, namespaces_.LabelsOrNone(pod.namespace_word()));
}

void PodCounts::Tidy() {
  if (made_.classes.HasManyKept()) made_.classes.DropKept();
  if (std::exchange(has_unasked_, false)) DropUnasked();
  if (std::exchange(made_.grown, false)) DropBeyondLimit();
}

// Reaches the sums of a column before the column, which was used with each of them.
void PodCounts::DropUnasked() {
  for (auto next = made_.asked.begin(); next != made_.asked.end();) {
    const Asked each = *next++;
    const bool is_worth_it =
        each.sums == nullptr ? each.column->IsWorthIt() : each.sums->upkeep.IsWorthIt();
    if (!is_worth_it) Drop(each);
  }
  DropUnused();
}

void PodCounts::DropBeyondLimit() {
  if (SharedBytes() + made_.asked_bytes <= limit_) return;
  DropUnused();
  const size_t shared = SharedBytes();
  while (shared + made_.asked_bytes > limit_ && !made_.asked.empty()) Drop(made_.asked.front());
  DropUnused();
}

// Takes a copy, because it erases the list entry.
void PodCounts::Drop(Asked asked) {
  CountColumn& column = *asked.column;
  made_.asked_bytes -= asked.bytes;
  if (asked.sums != nullptr) {
    made_.asked.erase(asked.sums->place);
    column.Drop(*asked.sums);
    return;
  }
  while (!column.sums().empty()) Drop(*column.sums().back()->place);
  made_.asked.erase(column.place);
  made_.classes.Visit(column.required, [&](PodClass& each) { std::erase(each.columns, &column); });
  made_.by_label.Remove(column, column.required);
  made_.columns.erase(made_.columns.find(column.query().Key()));
}

// Drops the data that only the dropped counts used.
void PodCounts::DropUnused() {
  EraseUnused(made_.counted_nodes);
  EraseUnused(made_.members);
  if (made_.topologies.size() <= kIdleTopologies) return;
  std::erase_if(made_.topologies, [](const auto& each) { return each.second.use_count() == 1; });
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
  for (const auto& [key, topology] : made_.topologies) bytes += topology->bytes();
  for (const auto& members : made_.members) bytes += members->bytes();
  for (const auto& counted : made_.counted_nodes) bytes += counted->bytes();
  return bytes;
}

}  // namespace berth::scheduler
