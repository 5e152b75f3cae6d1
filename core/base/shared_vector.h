// SPDX-License-Identifier: GPL-3.0-or-later
// A vector whose copies share their elements: copying copies pointers, and an element is copied when it is changed while
// another copy has it too. So a snapshot of a thousand ranks costs one allocation, and what did not change is the same
// object in both. Reading is as with std::vector; a const one may be read by any thread. Keep no reference to an element
// of a vector that is not const while it is copied.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace rankdeck {

template <class T>
class SharedVector {
    using Pointer = std::shared_ptr<T>;
    using Pointers = std::vector<Pointer>;

    template <bool isConst>
    class Iterator {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using Base = std::conditional_t<isConst, typename Pointers::const_iterator, typename Pointers::iterator>;
        using reference = std::conditional_t<isConst, const T &, T &>;
        using pointer = std::conditional_t<isConst, const T *, T *>;

        Iterator() = default;
        explicit Iterator(Base at) : m_at(at) {}
        operator Iterator<true>() const requires(!isConst) { return Iterator<true>(m_at); }
        [[nodiscard]] Base base() const { return m_at; }
        reference operator*() const
        {
            if constexpr (isConst)
                return **m_at;
            else
                return own(*m_at);
        }
        pointer operator->() const { return &**this; }
        reference operator[](difference_type by) const { return *(*this + by); }
        Iterator &operator++() { return ++m_at, *this; }
        Iterator &operator--() { return --m_at, *this; }
        Iterator operator++(int) { return Iterator(m_at++); }
        Iterator operator--(int) { return Iterator(m_at--); }
        Iterator &operator+=(difference_type by) { return m_at += by, *this; }
        Iterator &operator-=(difference_type by) { return m_at -= by, *this; }
        friend Iterator operator+(Iterator at, difference_type by) { return at += by; }
        friend Iterator operator+(difference_type by, Iterator at) { return at += by; }
        friend Iterator operator-(Iterator at, difference_type by) { return at -= by; }
        friend difference_type operator-(const Iterator &a, const Iterator &b) { return a.m_at - b.m_at; }
        friend bool operator==(const Iterator &a, const Iterator &b) { return a.m_at == b.m_at; }
        friend auto operator<=>(const Iterator &a, const Iterator &b) { return a.m_at <=> b.m_at; }

    private:
        Base m_at = {};
    };

public:
    using value_type = T;
    using iterator = Iterator<false>;
    using const_iterator = Iterator<true>;
    using reference = T &;
    using const_reference = const T &;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;

    SharedVector() = default;
    SharedVector(std::vector<T> values) { append(std::move(values)); }
    SharedVector(std::initializer_list<T> values) { append(values); }

    [[nodiscard]] std::size_t size() const { return m_all.size(); }
    [[nodiscard]] bool empty() const { return m_all.empty(); }
    void reserve(std::size_t count) { m_all.reserve(count); }
    void clear() { m_all.clear(); }
    void push_back(T value) { m_all.push_back(std::make_shared<T>(std::move(value))); }
    void pop_back() { m_all.pop_back(); }
    void resize(std::size_t count)
    {
        while (m_all.size() > count) m_all.pop_back();
        while (m_all.size() < count) m_all.push_back(std::make_shared<T>());
    }
    iterator insert(const_iterator before, T value)
    {
        return iterator(m_all.insert(before.base(), std::make_shared<T>(std::move(value))));
    }
    iterator insert(const_iterator before, std::initializer_list<T> values)
    {
        const auto at = before.base() - m_all.cbegin();
        std::ptrdiff_t next = at;
        for (const T &value : values) m_all.insert(m_all.begin() + next++, std::make_shared<T>(value));
        return iterator(m_all.begin() + at);
    }
    iterator erase(const_iterator at) { return iterator(m_all.erase(at.base())); }
    iterator erase(const_iterator from, const_iterator to) { return iterator(m_all.erase(from.base(), to.base())); }

    // A new element in the place of one that need not be copied first.
    void set(std::size_t index, T value) { m_all[index] = std::make_shared<T>(std::move(value)); }

    T &operator[](std::size_t index) { return own(m_all[index]); }
    T &at(std::size_t index) { return own(m_all.at(index)); }
    T &front() { return own(m_all.front()); }
    T &back() { return own(m_all.back()); }
    const T &operator[](std::size_t index) const { return *m_all[index]; }
    [[nodiscard]] const T &at(std::size_t index) const { return *m_all.at(index); }
    [[nodiscard]] const T &front() const { return *m_all.front(); }
    [[nodiscard]] const T &back() const { return *m_all.back(); }

    iterator begin() { return iterator(m_all.begin()); }
    iterator end() { return iterator(m_all.end()); }
    [[nodiscard]] const_iterator begin() const { return const_iterator(m_all.begin()); }
    [[nodiscard]] const_iterator end() const { return const_iterator(m_all.end()); }
    [[nodiscard]] const_iterator cbegin() const { return begin(); }
    [[nodiscard]] const_iterator cend() const { return end(); }
    auto rbegin() { return std::reverse_iterator(end()); }
    auto rend() { return std::reverse_iterator(begin()); }
    [[nodiscard]] auto rbegin() const { return std::reverse_iterator(end()); }
    [[nodiscard]] auto rend() const { return std::reverse_iterator(begin()); }

    // Whether both have the same object there, so that nothing in it changed.
    [[nodiscard]] bool shares(std::size_t index, const SharedVector &other) const
    {
        return index < size() && index < other.size() && m_all[index] == other.m_all[index];
    }
    friend bool operator==(const SharedVector &a, const SharedVector &b)
    {
        return std::equal(a.m_all.begin(), a.m_all.end(), b.m_all.begin(), b.m_all.end(),
                          [](const Pointer &one, const Pointer &other) { return one == other || *one == *other; });
    }

private:
    static T &own(Pointer &element)
    {
        if (element.use_count() > 1) element = std::make_shared<T>(std::as_const(*element));
        return *element;
    }
    void append(std::vector<T> values)
    {
        m_all.reserve(values.size());
        for (T &value : values) push_back(std::move(value));
    }

    Pointers m_all;
};

}  // namespace rankdeck
